/** What the desktop app says outside its page: menus, tray, dialogs, notifications. */
export interface Texts {
  readonly menu: {
    readonly file: string;
    readonly edit: string;
    readonly view: string;
    readonly window: string;
    readonly help: string;
    readonly overview: string;
    readonly connect: string;
    readonly keys: string;
    readonly settings: string;
    readonly lockKeys: string;
    readonly showDataFolder: string;
    readonly about: string;
    readonly quit: string;
    readonly close: string;
    readonly undo: string;
    readonly redo: string;
    readonly cut: string;
    readonly copy: string;
    readonly paste: string;
    readonly selectAll: string;
    readonly reload: string;
    readonly developerTools: string;
    readonly zoomIn: string;
    readonly zoomOut: string;
    readonly actualSize: string;
    readonly fullScreen: string;
    readonly minimize: string;
  };
  readonly tray: {
    readonly open: string;
    readonly starting: string;
    readonly running: string;
    readonly failed: string;
    readonly moving: string;
    readonly stopped: string;
    readonly devices: (count: number) => string;
    readonly lastReading: (time: string) => string;
    readonly noReading: string;
    readonly pausePublic: string;
    readonly openPublic: string;
    readonly pinnedOn: (variable: string) => string;
    readonly pinnedOff: (variable: string) => string;
    readonly resumePublic: string;
    readonly quit: string;
  };
  readonly publicFault: {
    readonly notOn: string;
    readonly notOff: string;
    readonly taken: (port: number, by: string | null) => string;
    readonly privileged: (port: number) => string;
    readonly equal: (port: number) => string;
    readonly moving: string;
    readonly other: string;
    readonly settings: string;
    readonly close: string;
  };
  readonly close: {
    readonly question: string;
    readonly detail: string;
    readonly toTray: string;
    readonly quit: string;
    readonly cancel: string;
  };
  readonly link: { readonly question: string; readonly open: string; readonly cancel: string };
  readonly about: {
    readonly version: (version: string) => string;
    readonly nodeKey: string;
    readonly noKey: string;
    readonly copy: string;
    readonly close: string;
  };
  readonly crash: {
    readonly title: string;
    readonly detail: (logDir: string) => string;
    readonly again: string;
    readonly quit: string;
  };
  readonly fault: { readonly title: string; readonly detail: (logDir: string) => string };
  readonly notice: {
    readonly silent: (name: string) => string;
    readonly silentBody: (since: string) => string;
    readonly knocking: string;
    readonly knockingBody: (id: string) => string;
    readonly store: string;
    readonly storeBody: string;
  };
}

export const en: Texts = {
  menu: {
    file: '&File',
    edit: '&Edit',
    view: '&View',
    window: '&Window',
    help: '&Help',
    overview: 'Overview',
    connect: 'Connect a device',
    keys: 'Keys',
    settings: 'Settings…',
    lockKeys: 'Lock keys now',
    showDataFolder: 'Show data folder',
    about: 'About Wellhouse',
    quit: 'Quit Wellhouse',
    close: 'Close window',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    reload: 'Reload',
    developerTools: 'Developer tools',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    actualSize: 'Actual size',
    fullScreen: 'Full screen',
    minimize: 'Minimize',
  },
  tray: {
    open: 'Open Wellhouse',
    starting: 'Starting',
    running: 'Taking in readings',
    failed: 'Not running: open the window to see why',
    moving: 'Moving the data folder',
    stopped: 'Stopped',
    devices: (count) => (count === 1 ? '1 device' : `${count} devices`),
    lastReading: (time) => `Last reading: ${time}`,
    noReading: 'No reading yet',
    pausePublic: 'Pause the public endpoint',
    openPublic: 'Turn the public endpoint on…',
    pinnedOn: (variable) => `Public endpoint: on, set by ${variable}`,
    pinnedOff: (variable) => `Public endpoint: off, set by ${variable}`,
    resumePublic: 'Turn the public endpoint on',
    quit: 'Quit',
  },
  publicFault: {
    notOn: 'The public endpoint is still off',
    notOff: 'The public endpoint is still on',
    taken: (port, by) =>
      `Port ${port} is taken${by === null ? '' : ` by ${by}`}. The settings let you choose another one.`,
    privileged: (port) => `Port ${port} may be opened by administrators only. The settings let you choose another one.`,
    equal: (port) => `Port ${port} is the local endpoint’s. The settings let you choose another one.`,
    moving: 'The data folder is being moved. Try again when that is done.',
    other: 'It could not be changed. The settings show what is so now.',
    settings: 'Open settings',
    close: 'Close',
  },
  close: {
    question: 'Keep taking in readings when the window is closed?',
    detail:
      'Wellhouse can stay in the tray and go on. Once it has quit, readings that devices send are lost after some time. You can change this in the settings.',
    toTray: 'Stay in the tray',
    quit: 'Quit',
    cancel: 'Cancel',
  },
  link: { question: 'Open this address in your browser?', open: 'Open', cancel: 'Cancel' },
  about: {
    version: (version) => `Wellhouse ${version}`,
    nodeKey: 'Public key of this node',
    noKey: 'not known: the node is not running',
    copy: 'Copy',
    close: 'Close',
  },
  crash: {
    title: 'The window of Wellhouse failed twice',
    detail: (logDir) =>
      `The node itself is not affected: readings are still taken in. The reason is in the log, in ${logDir}.`,
    again: 'Try again',
    quit: 'Quit',
  },
  fault: {
    title: 'Wellhouse has to stop',
    detail: (logDir) =>
      `Something failed that should not. What was confirmed to devices is kept. The log is in ${logDir}.`,
  },
  notice: {
    silent: (name) => `${name} is silent`,
    silentBody: (since) => `Its last reading came ${since}.`,
    knocking: 'A device that is not registered is posting',
    knockingBody: (id) => `Device ${id}… posts to the local endpoint. Switching it off and on makes it register.`,
    store: 'Readings can’t be stored',
    storeBody: 'The disk is full or the store fails. Devices keep their newest readings for a while only.',
  },
};
