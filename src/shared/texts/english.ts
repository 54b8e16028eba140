// Written by `npm run texts` from en/*.json; not to be edited.
export interface English {
  alerting: {
    "acknowledge": "Acknowledge",
    "acknowledgeOf": "Acknowledge: {{title}}",
    "andMore_one": "{{names}} and {{count}} more",
    "andMore_other": "{{names}} and {{count}} more",
    "browser": {
      "denied": "Notifications of this page are blocked in this browser. Allow them in the browser’s settings for this page.",
      "label": "Show notifications while this page is open",
      "noChannel": "Add a “Desktop notification” channel first. Without one, no alert is shown here.",
      "text": "Your browser asks for permission once.",
      "title": "This browser",
      "unsupported": "This browser shows notifications only for pages opened over HTTPS."
    },
    "builtIn": {
      "clockNotSet": {
        "name": "A clock is not set",
        "text": "The device has no time of its own. The node uses the time when each reading arrives."
      },
      "diskLow": {
        "name": "The disk is nearly full",
        "text": "The disk that holds the data has little free space."
      },
      "fieldSilent": {
        "name": "A value is missing",
        "text": "A device sends readings without one of its values. The delay is long by default, because some values are entered by hand."
      },
      "knocking": {
        "name": "A device is knocking",
        "text": "One of your devices sends readings but is not registered."
      },
      "rejected": {
        "name": "Many blocks are refused",
        "text": "One of the stores refused many blocks within an hour."
      },
      "silent": {
        "name": "A device is silent",
        "text": "A device has not sent a reading for longer than expected."
      },
      "storeRefuses": {
        "name": "A store refuses writes",
        "text": "The node can’t save what devices send."
      },
      "batteryLow": {
        "name": "A battery is low",
        "text": "The device reports it on its own page. The node checks that page while this view is open."
      },
      "sensorFailed": {
        "name": "A sensor has failed",
        "text": "The device reports it on its own page. The node checks that page while this view is open."
      },
      "gateLost": {
        "name": "The gate does not listen",
        "text": "This machine no longer has its address, or another program has its port: devices can’t send."
      },
      "backupOverdue": {
        "name": "A backup is overdue",
        "text": "The backup folder has no recent backup."
      },
      "storeMissing": {
        "name": "A store is missing",
        "text": "A store that was in the data folder is no longer there. The node made a new, empty one."
      }
    },
    "cancel": "Cancel",
    "channel": {
      "add": "A new channel",
      "change": "Change the channel",
      "delete": "Delete the channel",
      "editOf": "Edit: {{name}}",
      "givenUp": "The message was not delivered, and the node stopped trying.",
      "held_one": "{{count}} held for the summary",
      "held_other": "{{count}} held for the summary",
      "isOn": "The channel is on",
      "kind": "Kind",
      "lastFailure": "Failed {{time}}:",
      "lastSuccess": "Last sent {{time}}",
      "maxPerHour": "Messages in an hour",
      "maxPerHourText": "Further messages are combined into one.",
      "name": "Name",
      "neverSent": "Nothing was sent yet",
      "noValues": "no values",
      "onOf": "On: {{name}}",
      "plain": "Plain HTTP beyond this network: others on the way can read the messages and the secrets.",
      "waiting_one": "{{count}} message waits",
      "waiting_other": "{{count}} messages wait",
      "withoutValues": "No values in messages",
      "withoutValuesText": "Messages say what happened, without numbers."
    },
    "channels": {
      "add": "Add a channel",
      "none": "Alerts are shown here only. Nothing leaves this machine until you add a channel.",
      "text": "Where messages go. Secrets are kept by the node and never shown again."
    },
    "crop": {
      "basil": "Basil",
      "cannabis": "Cannabis",
      "generic": "Other plants",
      "lettuce": "Lettuce",
      "strawberry": "Strawberry",
      "tomato": "Tomato"
    },
    "deleteSure": "Really delete?",
    "detail": {
      "acknowledged": "acknowledged",
      "for": "for {{span}}",
      "from": "{{from}}, for {{span}}",
      "furthest": "worst {{value}}",
      "now": "now {{value}}",
      "pending": "not right for {{span}}",
      "snoozed": "snoozed until {{time}}"
    },
    "device": {
      "live": "Alerts of this device",
      "rules": "Rules for this device",
      "rangesOf_one": "{{name}}: {{count}} range",
      "rangesOf_other": "{{name}}: {{count}} ranges",
      "rangesOutside_one": "{{name}}: {{count}} range, {{outside}} outside",
      "rangesOutside_other": "{{name}}: {{count}} ranges, {{outside}} outside",
      "unwatched": "No ranges are set for {{fields}}: nothing watches these values. Set the ranges of a crop, or add a rule."
    },
    "ended": {
      "forgotten": "ended as the device was forgotten",
      "hidden": "ended as the device was hidden",
      "rule_changed": "ended as its rule was changed",
      "rule_off": "ended as its rule was turned off"
    },
    "fact": {
      "ended": "Ended",
      "extreme": "Worst value",
      "fired": "Fired",
      "lasted": "Lasted",
      "severity": "Severity",
      "since": "Began",
      "value": "Newest value"
    },
    "failed": "The change was not saved.",
    "firing": {
      "none": "No active alerts",
      "noneText": "The history has earlier alerts.",
      "title_one": "{{count}} alert",
      "title_other": "{{count}} alerts"
    },
    "history": {
      "anyDevice": "All devices",
      "anyRule": "All rules",
      "device": "Device",
      "end": "There are no earlier alerts.",
      "more": "Show earlier alerts",
      "none": "No earlier alerts",
      "rule": "Rule",
      "title": "Earlier alerts"
    },
    "kind": {
      "desktop": "Desktop notification",
      "email": "Email",
      "ntfy": "ntfy",
      "telegram": "Telegram",
      "webhook": "Webhook"
    },
    "kindText": {
      "desktop": "Shown by the desktop app, and by browsers that have this page open and were told to.",
      "email": "By your mail server.",
      "ntfy": "Push messages to a phone by an ntfy server: the public one, or your own.",
      "telegram": "Messages by a bot of yours to a chat.",
      "webhook": "Posts JSON to an address of yours, signed if you set a key."
    },
    "ofRule": "Rule: {{name}}",
    "one": {
      "acknowledged": "Acknowledged",
      "all": "All alerts",
      "device": "To {{name}}",
      "ended": "Ended",
      "firing": "Active now",
      "pending": "May become an alert",
      "snoozed": "Snoozed",
      "unknown": "There is no such alert",
      "unknownText": "The alert may have ended long ago and been deleted."
    },
    "options": {
      "from": "From",
      "language": "Language of messages",
      "languageAuto": "As in the settings",
      "link": "Address of this page in messages",
      "linkRefused": "An address with http:// or https://",
      "linkText": "Where you reach this view from elsewhere, up to “/ui/”. Empty: messages have no link.",
      "quiet": "Quiet hours",
      "quietRefused": "Enter two different times",
      "quietText": "Warnings wait, and are sent when quiet hours end. Critical alerts are sent at once.",
      "to": "To"
    },
    "pending": {
      "text": "These values are out of range, but not yet for long enough to fire an alert.",
      "title": "May become an alert"
    },
    "preset": {
      "apply": "Apply",
      "editable": "You can change every range afterwards.",
      "noUnit": "Left out: its unit is not known",
      "notSent": "Not sent by this device: left out",
      "now": "Now",
      "open": "Set ranges for a crop",
      "replaces": "Replaces the range of this device",
      "right": "Right",
      "source": "Sources:",
      "text": "Choose what grows here. Each range becomes a rule that tells you when a value leaves it.",
      "title": "Ranges for a crop"
    },
    "range": {
      "both": "{{low}} to {{high}}",
      "high": "at most {{high}}",
      "low": "at least {{low}}",
      "title": "{{field}}: {{range}}"
    },
    "refused": {
      "for": "A whole number from 0 to 1440",
      "limits": "Enter a number for one of the limits",
      "margin": "At least 0, and at most half of the range",
      "order": "The lower limit must be below the upper limit",
      "repeat": "A whole number from 5 to 10080, or nothing",
      "threshold": "A number from {{min}} to {{max}}"
    },
    "refusedSecret": {
      "password": "A password has one line",
      "signingKey": "A key begins with whsec_ and goes on in base64",
      "token": "That is not a token of this kind"
    },
    "refusedTarget": {
      "chat": "The number of a chat, or the @name of a public one",
      "from": "An email address",
      "host": "The name of a server",
      "maxPerHour": "A whole number from 1 to 1000",
      "port": "A number from 1 to 65535",
      "server": "The address of a server, with http:// or https:// and no path",
      "to": "One to ten email addresses, with commas between them",
      "topic": "Letters, digits, - and _, 64 at most",
      "url": "An address with http:// or https://, without a name and a password",
      "user": "At most 200 characters"
    },
    "rule": {
      "add": "A new rule",
      "allChannels": "All channels",
      "change": "Change the rule",
      "channelCount_one": "{{count}} channel",
      "channelCount_other": "{{count}} channels",
      "channels": "Send to",
      "delete": "Delete the rule",
      "edit": "Edit",
      "editOf": "Edit: {{title}}",
      "field": "Value",
      "for": "Out of range for (minutes)",
      "forShort": "after {{span}}",
      "high": "At most",
      "isOn": "The rule is on",
      "low": "At least",
      "margin": "Margin for going back",
      "name": "Name",
      "nameHint": "By its range",
      "never": "Once",
      "noChannels": "There is no channel yet.",
      "noLimit": "No limit",
      "onOf": "On: {{title}}",
      "otherUnits": "{{names}}: sends this value in a unit of your own, which can’t be converted. The limits are applied to its numbers as they are; a rule of its own can have limits in its unit.",
      "repeat": "Tell me again every (minutes)",
      "repeatShort": "again every {{span}}",
      "repeatText": "The message repeats until you acknowledge the alert. Leave it empty to send one message.",
      "scope": "For",
      "scopeCount_one": "{{scope}} ({{count}} device)",
      "scopeCount_other": "{{scope}} ({{count}} devices)",
      "sealed": "{{names}}: this value arrives sealed, so the node can’t read it and tells you nothing. While your keys are unlocked, this view watches it and shows the result here only.",
      "sealedOn_one": "Sealed on {{count}} device: the node can’t read it there",
      "sealedOn_other": "Sealed on {{count}} devices: the node can’t read it there",
      "severity": "Severity",
      "severityText": "Quiet hours hold back warnings. Critical alerts are sent at once.",
      "someChannels": "These channels"
    },
    "rules": {
      "add": "Add a rule",
      "builtIn": "Built in",
      "builtInText": "Every node has these. They can be changed and turned off.",
      "none": "None yet. Add one here, or choose a crop on the page of a device.",
      "own": "Your rules",
      "viewer": {
        "own": "The owner’s rules",
        "none": "None yet.",
        "builtIn": "Every node has these."
      }
    },
    "save": "Save",
    "saved": "Saved",
    "scope": {
      "all": "All my devices",
      "devices": "One device",
      "groups": "Groups",
      "noGroup": "A group that is gone"
    },
    "sealed": {
      "fine": "{{field}} of {{name}} is in its range",
      "locked_one": "A rule meets sealed values on {{count}} device, which the node can’t read. With your keys unlocked this view watches them.",
      "locked_other": "Rules meet sealed values on {{count}} devices, which the node can’t read. With your keys unlocked this view watches them.",
      "nothing": "{{field}} of {{name}}: your keys can’t open these values",
      "text_one": "Sealed values of {{count}} device, opened with your keys: seen in this view only and told to nobody.",
      "text_other": "Sealed values of {{count}} devices, opened with your keys: seen in this view only and told to nobody.",
      "title": "With your keys"
    },
    "secret": {
      "goes": "will be removed",
      "isSet": "is set",
      "isSetShort": "{{name}} is set",
      "keep": "Keep it",
      "make": "Make one",
      "password": "Password",
      "remove": "Remove",
      "replace": "Replace",
      "show": "Show what is typed",
      "signingKey": "Signing key",
      "token": "Token"
    },
    "secretText": {
      "password": "Typed once and never shown again.",
      "signingKey": "Begins with whsec_. Your server checks the signature with it; copy it now, as it is never shown again.",
      "token": "Typed once and never shown again."
    },
    "security": {
      "none": "None: on this machine or network only",
      "starttls": "STARTTLS",
      "tls": "TLS"
    },
    "snooze": {
      "choose": "Until a time …",
      "hour": "For an hour",
      "open": "Snooze",
      "refused": "Choose a time in the future",
      "set": "Snooze",
      "title": "Snooze the alert",
      "tomorrow": "Until tomorrow, 8:00",
      "until": "Tell me again at"
    },
    "snoozeOf": "Snooze: {{title}}",
    "tab": {
      "channels": "Channels",
      "firing": "Now",
      "history": "History",
      "options": "Options",
      "rules": "Rules"
    },
    "target": {
      "chat": "Chat",
      "from": "From",
      "host": "Mail server",
      "port": "Port",
      "security": "Encryption",
      "server": "Server",
      "to": "To",
      "topic": "Topic",
      "url": "Address",
      "user": "User name"
    },
    "test": {
      "failed": "The test message was not sent.",
      "fine": "The test message was sent.",
      "of": "Test: {{name}}",
      "send": "Test"
    },
    "threshold": {
      "automatic": "Automatic",
      "blocks_one": "from {{count}} block in an hour",
      "blocks_other": "from {{count}} blocks in an hour",
      "gigabytes_one": "below {{count}} GB free",
      "gigabytes_other": "below {{count}} GB free",
      "hours_one": "after {{count}} hour",
      "hours_other": "after {{count}} hours",
      "minutes_one": "after {{count}} minute",
      "minutes_other": "after {{count}} minutes",
      "percent_one": "below {{count}} %",
      "percent_other": "below {{count}} %"
    },
    "thresholdName": {
      "blocks": "Blocks in an hour",
      "gigabytes": "Free space (GB)",
      "hours": "After (hours)",
      "minutes": "After (minutes)",
      "percent": "Charge (%)"
    },
    "title": "Alerts",
    "settled": {
      "title": "Acknowledged or snoozed"
    },
    "unwatched": {
      "title": "Values that no rule watches",
      "text": "No alert can come from these values. Set ranges on the page of a device, or add a rule for all devices.",
      "more_one": "And {{count}} more device.",
      "more_other": "And {{count}} more devices."
    }
  };
  alerts: {
    "notice": {
      "low": "{{device}}: {{field}} below its range",
      "high": "{{device}}: {{field}} above its range",
      "stillLow": "{{device}}: {{field}} still below its range",
      "stillHigh": "{{device}}: {{field}} still above its range",
      "rangeBack": "{{device}}: {{field}} back in its range",
      "lowText": "{{value}} now; at least {{limit}} is right. Out of range since {{since}}.",
      "highText": "{{value}} now; at most {{limit}} is right. Out of range since {{since}}.",
      "worst": "Worst since then: {{extreme}}.",
      "stillText": "{{value}}, at worst {{extreme}}. Out of range for {{duration}}, since {{since}}.",
      "rangeBackText": "It was out of range for {{duration}}, from {{since}} to {{until}}; at worst {{extreme}}.",
      "silent": "{{device}} is silent",
      "silentStill": "{{device}} is still silent",
      "silentBack": "{{device}} sends again",
      "silentText": "No reading since {{since}}.",
      "fieldSilent": "{{device}}: no more values of {{field}}",
      "fieldSilentStill": "{{device}}: still no values of {{field}}",
      "fieldSilentBack": "{{device}}: {{field}} comes in again",
      "fieldSilentText": "Last value: {{since}}.",
      "clockNotSet": "{{device}}: the clock is not set",
      "clockNotSetStill": "{{device}}: the clock is still not set",
      "clockNotSetBack": "{{device}}: the clock is set",
      "clockNotSetText": "The node orders its readings by their number and dates them by their arrival.",
      "knocking": "A device of yours is not registered",
      "knockingStill": "A device of yours is still not registered",
      "knockingBack": "The node no longer refuses {{device}}",
      "knockingText": "{{device}} sends readings, but the node does not keep them. Let the device in on the page of Wellhouse. If it uses the public endpoint, switch it off and on, and it registers.",
      "storeRefuses": "Readings can’t be stored",
      "storeRefusesStill": "Readings still can’t be stored",
      "storeRefusesBack": "Readings are stored again",
      "storeRefusesText": "The disk is full or the store fails. Devices keep their newest readings for a while only.",
      "diskLow": "The disk is nearly full",
      "diskLowStill": "The disk is still nearly full",
      "diskLowBack": "The disk has room again",
      "diskLowText": "The disk has {{value}} free. When it is full, the node can’t store readings.",
      "rejected": "Readings are refused",
      "rejectedStill": "Readings are still refused",
      "rejectedBack": "The node no longer refuses many readings",
      "rejectedText": "Blocks refused within an hour: {{value}}.",
      "lasted": "It lasted {{duration}}, from {{since}} to {{until}}.",
      "over": "{{title}}: no longer watched",
      "ruleChanged": "The rule was changed.",
      "ruleOff": "The rule was turned off or deleted.",
      "forgotten": "The device was forgotten.",
      "hidden": "The device was hidden.",
      "withoutValues": "Wellhouse shows more.",
      "rule": "Rule: {{name}}",
      "aDevice": "A device",
      "test": "Test message from Wellhouse",
      "testText": "This channel can send you alerts.",
      "summary": "This channel has reached its hourly limit",
      "summaryText_one": "{{count}} more message, about: {{names}}.",
      "summaryText_other": "{{count}} more messages, about: {{names}}.",
      "summaryWithoutValues": "About: {{names}}.",
      "critical": "Critical: {{title}}",
      "batteryLow": "{{device}}: the battery is low",
      "batteryLowStill": "{{device}}: the battery is still low",
      "batteryLowBack": "{{device}}: the battery is charged again",
      "batteryLowText": "The device reports {{value}} %.",
      "sensorFailed": "{{device}}: a sensor has failed",
      "sensorFailedStill": "{{device}}: a sensor still fails",
      "sensorFailedBack": "{{device}}: the sensors work again",
      "sensorFailedText": "The device reports it. Its own page says which sensor.",
      "gateLost": "Devices can’t reach the gate",
      "gateLostStill": "Devices still can’t reach the gate",
      "gateLostBack": "The gate listens again",
      "gateLostText": "Since {{since}} this machine no longer has the gate’s address, or another program uses its port. Meanwhile devices keep their newest 50 readings.",
      "backupOverdue": "No new backup",
      "backupOverdueStill": "Still no new backup",
      "backupOverdueBack": "A backup was made again",
      "backupOverdueText": "No backup since {{since}}, {{value}} hours ago. The settings say why.",
      "storeMissing": "A store is missing",
      "storeMissingStill": "A store is still missing",
      "storeMissingBack": "The notice of the missing store was dismissed",
      "storeMissingText": "A store of this node is no longer in the data folder, and its readings with it. The node made a new, empty store. Restore a backup."
    },
    "fault": {
      "dns": "The name of the server is not found. Check how it is written, and the connection to the internet.",
      "refused": "Nothing takes connections at this address and port.",
      "unreachable": "The server could not be reached, or the connection broke.",
      "timeout": "The server did not answer in time.",
      "certificate_expired": "The server’s certificate is not valid at this time. Check this machine’s clock. If it is right, the server needs a new certificate.",
      "certificate_untrusted": "This machine does not know who issued the server’s certificate.",
      "certificate_name": "The server’s certificate is for another name.",
      "tls": "This node and the server could not agree on encryption.",
      "redirect": "The server points to another address. Enter that one, if it is right.",
      "unauthorized": "The server refuses the token or password, or it does not allow this.",
      "not_found": "The server does not know this address, topic or chat.",
      "rejected": "The server does not take the message.",
      "busy": "The server takes no more messages for now.",
      "server": "The server reports an error of its own.",
      "unexpected": "Something else answers at this address.",
      "plain_beyond_lan": "The mail server is beyond this network, where mail must be encrypted.",
      "no_secret": "The token or password is missing. Enter it again.",
      "no_view": "No window and no tab of Wellhouse was open.",
      "not_shown": "Wellhouse was open, but no window and no tab of it shows notifications."
    }
  };
  app: {
    "badge": {
      "clock": "clock not set",
      "clockText": "Its clock is not set: its readings are ordered by number and shown at their time of arrival."
    },
    "cause": {
      "device_not_found": "from devices that are not registered",
      "invalid_block": "with a malformed block",
      "invalid_signature": "with a wrong signature",
      "raw_json_mismatch": "where signed text and values differ"
    },
    "claims": {
      "failed": "Your answer about {{name}} was not saved: {{reason}}.",
      "no": "Not mine, hide it",
      "text": "The public endpoint accepts any device, and a stranger can use your owner key. A device raises no alert until you say that it is yours.",
      "title_one": "A device claims your key. Is it yours?",
      "title_other": "{{count}} devices claim your key. Are they yours?",
      "unlisted_one": "{{count}} more is not listed.",
      "unlisted_other": "{{count}} more are not listed.",
      "yes": "It is mine"
    },
    "common": {
      "chosen": "chosen",
      "close": "Close",
      "copied": "Copied",
      "copyFailed": "The browser does not allow this page to copy",
      "less": "Show fewer",
      "loading": "Loading",
      "more_one": "{{count}} more",
      "more_other": "{{count}} more",
      "retry": "Try again",
      "copiedSecret": "Copied for one minute"
    },
    "connect": {
      "copyAddress": "Copy the address",
      "copyCommand": "Copy the command",
      "enterLocal": "On the device's own setup page, enter this as its local server:",
      "helperAddress": "<address of the helper>",
      "helperText": "If the device is in another network, run the tunnel on any machine there that is always on, and enter that machine's address in the device.",
      "lasting": "{{file}} in the project shows how to set up the user wellhouse-tunnel, and a tunnel that survives restarts.",
      "noAddress": "This machine has no network address at the moment.",
      "nodeAddress": "<address of this node>",
      "powerOn": "Switch the device off and on. It registers when it starts and appears here by itself; its first reading follows within about a minute.",
      "private": "Private: through a tunnel",
      "privateText": "For your own readings. The local endpoint, port {{port}}, answers only this machine, so a device on your network reaches it through a tunnel.",
      "public": "Public: for readings that everybody may read",
      "publicOff": "The public endpoint of this node is off. {{setting}} turns it on.",
      "publicText": "Enter one of these addresses as the public server of a device that should publish:",
      "publicWarning": "Port {{port}} stores publicly: whoever reaches it can read everything that a device sends there. The port decides this, not the device.",
      "text": "A device sends to the address that you enter in it, and that address decides who can read its readings.",
      "title": "Connect a device",
      "tunnelHere": "Open the tunnel, on this node's machine:",
      "withHelper": "From another machine"
    },
    "connection": {
      "connected": "Live",
      "connecting": "Connecting…",
      "lost": "Connection lost",
      "lostText": "The connection to the node was lost at {{time}}. This page shows the state before that, and tries again.",
      "returnedText": "The connection is back, and everything is up to date."
    },
    "demo": {
      "failed": "The demo could not be ended: {{reason}}.",
      "left": "Demo devices of an earlier start are still here. Removing them does not change your own devices.",
      "remove": "Remove the demo devices",
      "running": "The demo devices and their readings are simulated. Ending the demo removes them.",
      "stop": "End the demo"
    },
    "endpoint": {
      "private": "local endpoint",
      "public": "public endpoint"
    },
    "error": {
      "conflict": {
        "text": "Something has changed since. Check it and try again.",
        "title": "This conflicts with another change"
      },
      "disconnected": {
        "text": "Is it running, and is the tunnel to it open? The page continues by itself as soon as the node answers.",
        "title": "The node does not answer"
      },
      "forbidden": {
        "text": "This link is not the owner’s: it can only show and export readings.",
        "title": "Only the owner may do this"
      },
      "internal_error": {
        "text": "The node's log says more. You can try again.",
        "title": "Something went wrong"
      },
      "invalid_input": {
        "text": "The node did not understand the request. This page may be from an older version: reload it.",
        "title": "The node refused this"
      },
      "not_found": {
        "text": "It may have been forgotten.",
        "title": "There is no such device"
      },
      "other_version": {
        "text": "This version does not understand its answer. “Other nodes” shows both versions: update the older one.",
        "title": "The other node has another version"
      },
      "storage_unavailable": {
        "text": "The node cannot read or write its stores: is the disk full or disconnected? Its log says more.",
        "title": "The stores are not available"
      },
      "unauthorized": {
        "text": "Open the link that the node gave you.",
        "title": "The node asks for its link"
      },
      "unknown_method": {
        "text": "This page and the node have different versions. Reload the page.",
        "title": "The node does not know this request"
      }
    },
    "entity": {
      "battery": "Battery",
      "lastSeen": "Last seen",
      "needsYou": "Needs you"
    },
    "field": {
      "ec": "EC",
      "humidity": "Humidity",
      "ph": "pH",
      "tempAmbient": "Air temperature",
      "tempWater": "Water temperature",
      "waterLevel": "Water level",
      "waterDistance": "Distance to water",
      "waterAny": "Water level or distance"
    },
    "fieldShort": {
      "ec": "EC",
      "humidity": "Humidity",
      "ph": "pH",
      "tempAmbient": "Air temp.",
      "tempWater": "Water temp.",
      "waterLevel": "Level",
      "waterDistance": "Distance",
      "waterAny": "Water"
    },
    "firstRun": {
      "demoFailed": "The demo could not be started: {{reason}}.",
      "demoText": "Simulated devices to look around with. Ending the demo removes them and all their readings.",
      "text": "This node is ready and waits for its first device.",
      "title": "Welcome to your Wellhouse"
    },
    "hidden": {
      "failed": "{{name}} is still hidden: {{reason}}.",
      "show": "Show again",
      "showName": "Show {{name}} again",
      "text": "They appear in no other list, count or alert. Their readings are still stored.",
      "title_one": "{{number}} hidden device",
      "title_other": "{{number}} hidden devices"
    },
    "knocking": {
      "advice_one": "This node does not know it yet. Let it in to keep its readings from the next one on; you need not restart it.",
      "advice_other": "This node does not know them yet. Let in your own to keep their readings from the next one on; you need not restart them.",
      "attempts_one": "{{number}} attempt",
      "attempts_other": "{{number}} attempts",
      "copyId": "Copy the device id",
      "dismiss": "Dismiss",
      "dismissText": "Until it knocks again",
      "hidden_one": "{{count}} device that is not yours is hidden.",
      "hidden_other": "{{count}} devices that are not yours are hidden.",
      "hide": "Hide",
      "notMine": "Not mine",
      "notMineOf": "{{id}} is not mine: hide it",
      "show": "Show",
      "strangersAdvice_one": "It is not registered, and nothing shows that it is yours. If it is, unplug it, wait a few seconds, and plug it in again.",
      "strangersAdvice_other": "They are not registered, and nothing shows that they are yours. If one is, unplug it, wait a few seconds, and plug it in again.",
      "strangers_one": "An unknown device sends to the public endpoint",
      "strangers_other": "{{count}} unknown devices send to the public endpoint",
      "title_one": "An unregistered device is knocking",
      "title_other": "{{count}} unregistered devices are knocking",
      "publicAdvice_one": "The public endpoint does not know it, and a device registers there only when it starts. Unplug it, wait a few seconds, and plug it in again.",
      "publicAdvice_other": "The public endpoint does not know them, and a device registers there only when it starts. Unplug each, wait a few seconds, and plug it in again.",
      "at": {
        "private": "private store",
        "public": "public endpoint"
      }
    },
    "nav": {
      "claimed": "is it yours?",
      "hidden_one": "{{count}} hidden",
      "hidden_other": "{{count}} hidden",
      "label": "Devices",
      "other": "other owner"
    },
    "needs": {
      "clock": "The clock of {{name}} is not set: its readings have their time of arrival",
      "export": "Export",
      "keys": "Some of your keys have no copy: if this node's disk fails, they are lost",
      "manyClocks_one": "The clock of {{count}} device is not set",
      "manyClocks_other": "The clocks of {{count}} devices are not set",
      "manySilent_one": "{{count}} device is silent",
      "manySilent_other": "{{count}} devices are silent",
      "open": "Open",
      "room": "The disk of the data has only {{size}} left",
      "show": "Show",
      "silent": "{{name}} has been silent for {{span}}",
      "title": "Needs you now",
      "acknowledge": "Acknowledge",
      "manyAlerts_one": "{{count}} more alert is active",
      "manyAlerts_other": "{{count}} more alerts are active",
      "openOf": "Open {{name}}",
      "acknowledgeOf": "Acknowledge: {{title}}"
    },
    "node": {
      "about": "About this node",
      "clock": {
        "label": "Clock",
        "known": "right, as far as the node can tell",
        "unsure": "not confirmed yet",
        "unset": "not set: {{span}} behind",
        "never": "not set: earlier than this program was made",
        "held": "just set; the node follows it in some minutes",
        "setForward": "Set {{span}} forward",
        "setBack": "Set {{span}} back"
      },
      "folder": "Data folder",
      "local": "Local endpoint",
      "low": "When the disk is full, the node can store nothing more. Free some space, or move the data to another disk in the settings.",
      "off": "off",
      "public": "Public endpoint",
      "rejectedToday": "Rejected today",
      "room": "Room left on the disk",
      "roomOf": "{{free}} of {{total}}",
      "export": "Export all data",
      "space": "Disk space and how long readings are kept",
      "storage": "Storage",
      "storeSize": {
        "private": "Private store",
        "public": "Public store"
      },
      "title": "Node",
      "today": "Today",
      "used": "How full the disk is",
      "usedPart": "{{part}} % of the disk is in use",
      "version": "Version"
    },
    "overview": {
      "ascending": "Ascending",
      "columns": "Columns",
      "columnsText": "If there is not enough room for all values, the last columns are hidden first.",
      "countAll_one": "{{number}} device",
      "countAll_other": "{{number}} devices",
      "countSome_one": "{{shown}} of {{total}} shown, {{count}} hidden by search or filter",
      "countSome_other": "{{shown}} of {{total}} shown, {{count}} hidden by search or filter",
      "descending": "Descending",
      "device": "Device",
      "filterAndSort": "Filter and sort",
      "filterStatus": "Filter by status",
      "filterStore": "Filter by store",
      "mineLabel": "Your devices",
      "moveDown": "Move {{name}} down",
      "moveUp": "Move {{name}} up",
      "noMatch": "No device matches the search and filters",
      "noRoom": "Not shown for lack of room: {{columns}}",
      "offCount_one": "{{count}} inactive or lost",
      "offCount_other": "{{count}} inactive or lost",
      "online": "Devices online",
      "othersHidden_one": "{{count}} is hidden by search or filter.",
      "othersHidden_other": "{{count}} are hidden by search or filter.",
      "othersLabel": "Devices of other owners",
      "othersText_one": "It posts only to the public endpoint of this node and raises no alert.",
      "othersText_other": "They post only to the public endpoint of this node and raise no alert.",
      "othersUnlisted_one": "The newest one is listed.",
      "othersUnlisted_other": "The newest {{count}} are listed.",
      "others_one": "{{count}} device of another owner",
      "others_other": "{{number}} devices of other owners",
      "readingsToday": "Readings received today",
      "showAll": "Show all",
      "silentCount_one": "{{count}} silent",
      "silentCount_other": "{{count}} silent",
      "sort": {
        "added": "Added",
        "lastReading": "Last reading",
        "name": "Name",
        "status": "Status"
      },
      "sortBy": "Sort by",
      "stale": "The list could not be updated: {{reason}}.",
      "status": {
        "all": "Any status",
        "off": "Inactive or lost",
        "online": "Online",
        "silent": "Silent or without a reading"
      },
      "store": {
        "all": "Any store",
        "both": "In both stores",
        "private": "Private only",
        "public": "Public only"
      },
      "title": "Overview",
      "waitingCount_one": "{{count}} without a reading",
      "waitingCount_other": "{{count}} without a reading"
    },
    "sealed": {
      "absent": "A lock marks a value that only your keys open. You have no keys here yet.",
      "locked": "A lock marks a value that only your keys open, and they are locked.",
      "toKeys": "Go to your keys",
      "unlock": "Unlock them",
      "missing": "None of your keys opens some of these values. Enter the phrase or the field keys that their device was set up with."
    },
    "shell": {
      "connect": "Connect a device",
      "keys": "Keys",
      "keysLocked": "locked",
      "keysOpen": "unlocked",
      "language": "Language",
      "languageFailed": "Language not loaded",
      "lock": "Lock the keys",
      "menu": "Menu",
      "search": "Search devices",
      "searchHint": "Search by name, id, owner, model",
      "settings": "Settings",
      "skip": "Skip to the page",
      "theme": "Light or dark",
      "unlock": "Unlock the keys",
      "compare": "Compare",
      "alerts": "Alerts",
      "alertsFiring_one": "Alerts: {{count}} active",
      "alertsFiring_other": "Alerts: {{count}} active"
    },
    "status": {
      "alert": {
        "critical": "Critical alert",
        "settled": "Alert, acknowledged or snoozed",
        "warning": "Alert"
      },
      "foreign": "Last reading {{age}}",
      "inactive": "Inactive",
      "lost": "Lost",
      "online": "Online",
      "silent": "Silent",
      "silentFor": "Silent for {{span}}",
      "unknownSince": "Unknown since {{time}}",
      "waiting": "No reading yet",
      "withAge": "{{status}} · {{age}}",
      "late": "{{status}} · measured {{age}}"
    },
    "storage": {
      "cause": {
        "damaged": "Its file is damaged.",
        "full": "The disk is full.",
        "held": "Another program holds its file.",
        "limit": "The store has reached the limit set for it.",
        "other": "The disk reports an error.",
        "read_only": "The disk or the file is read-only.",
        "reserved": "The disk is full. The rest of it is reserved for your own changes."
      },
      "fix": {
        "damaged": "Stop the node and put back a copy of the data folder.",
        "full": "Free some space on the disk. The node then goes on by itself.",
        "held": "Close the program that has the file open, such as a backup or a database browser. The node then goes on by itself.",
        "limit": "Raise the limit of the public store (PUBLIC_MAX_BYTES), or forget devices of others.",
        "other": "The node's log says more.",
        "read_only": "Allow the node's user to write to the data folder. The node then goes on by itself.",
        "reserved": "Free some space on the disk. The node then goes on by itself."
      },
      "meanwhile": "Until then no readings are stored: devices keep their latest ones and drop older ones.",
      "refuses": {
        "private": "The private store has taken no writes since {{time}}.",
        "public": "The public store has taken no writes since {{time}}."
      },
      "toNode": "What to do"
    },
    "stores": {
      "both": "both",
      "bothText": "In the private and the public store",
      "private": "private",
      "privateText": "Only in the private store",
      "public": "public",
      "publicText": "Only in the public store: everybody can read it"
    },
    "theme": {
      "auto": "As the system",
      "dark": "Dark",
      "light": "Light"
    },
    "token": {
      "copyCommand": "Copy the command",
      "kept": "Nobody receives the secret of the link: this page and the node prove to each other that they know it.",
      "label": "The link",
      "mistypedText": "The node does not accept this link. A character may be missing, a newer link may exist, or the link belongs to another node.",
      "open": "Open",
      "refusedText": "The node does not know the link that this browser kept: a newer one was made, this is another node, or another program answers at this address. Nothing was sent to it. If your node was down, reload this page once it runs.",
      "refusedTitle": "This link no longer works",
      "text": "Your node gives its owner a link that opens this page. On the node's machine, this command prints it (run it as the node's user, with the node's DATA_DIR):",
      "title": "Open the link of your node",
      "wrong": "This is not the link: it ends in #token= and a long secret."
    },
    "type": {
      "0": "mains sensor",
      "1": "battery sensor",
      "2": "gateway"
    },
    "unknownPage": {
      "back": "To the overview",
      "title": "There is no such page"
    },
    "value": {
      "absent": "no value",
      "failed": {
        "no_key": "No key for version {{version}}",
        "wrong_key": "Wrong key for version {{version}}: the tag does not match",
        "not_four_bytes": "Not 4 bytes long, so not a value",
        "not_finite": "Not a finite number",
        "nonce_reused": "A copy: its nonce was seen before in another field or reading of this device"
      },
      "failedShort": {
        "no_key": "key missing",
        "wrong_key": "wrong key",
        "not_four_bytes": "not 4 bytes",
        "not_finite": "not finite",
        "nonce_reused": "a copy"
      },
      "isSealed": "sealed",
      "opened": "Opened with key version {{version}}",
      "sealed": "Sealed with key version {{version}}",
      "aboveFull": "above the full mark",
      "belowEmpty": "below the empty mark",
      "tooLow": "below the allowed range",
      "tooHigh": "above the allowed range"
    },
    "unit": {
      "percentFull": "% full",
      "ppm500": "ppm, 500 scale",
      "ppm700": "ppm, 700 scale"
    },
    "freshness": {
      "entered": "entered by hand",
      "late": "arrived late, {{time}}",
      "measured": "Measured {{time}}",
      "received": "Arrived {{time}}",
      "stale": "Not up to date",
      "unchanged": "the same for {{span}}",
      "unchangedLeast": "the same for more than {{span}}"
    },
    "groups": {
      "make": "Make groups",
      "edit": "Groups",
      "none": "In no group",
      "title": "Groups of devices",
      "new": "New group",
      "add": "Add",
      "text": "Groups, such as a greenhouse or a bed, order the overview and the comparison. A device is in one group at most.",
      "list": "Groups",
      "devices": "Devices and their groups",
      "of": "Group of {{name}}",
      "name": "Name of the group {{name}}",
      "up": "Move {{name}} up",
      "down": "Move {{name}} down",
      "delete": "Delete the group {{name}}",
      "deleteText": "Its devices stay",
      "search": "Find a device",
      "more_one": "{{count}} more: search for it",
      "more_other": "{{count}} more: search for them",
      "failed": "The groups were not saved."
    },
    "severity": {
      "warning": "Warning",
      "critical": "Critical"
    },
    "alert": {
      "low": "{{field}} of {{name}} is below {{limit}}",
      "high": "{{field}} of {{name}} is above {{limit}}",
      "silent": "{{name}} is silent",
      "fieldSilent": "{{name}} no longer sends {{field}}",
      "clockNotSet": "The clock of {{name}} is not set",
      "knocking": "An unregistered device is knocking: {{name}}",
      "diskLow": "The disk is nearly full",
      "storeRefuses": {
        "private": "The private store refuses writes",
        "public": "The public store refuses writes"
      },
      "rejected": {
        "private": "The private store refuses many blocks",
        "public": "The public store refuses many blocks"
      },
      "batteryLow": "The battery of {{name}} is low",
      "sensorFailed": "A sensor of {{name}} has failed",
      "gateLost": "The gate does not listen",
      "backupOverdue": "No new backup for too long",
      "storeMissing": {
        "private": "The private store is missing",
        "public": "The public store is missing"
      }
    },
    "gate": {
      "another": "Another address…",
      "anotherAddress": "Another address",
      "title": "From this network: the gate",
      "text": "Devices register and send their readings at one address of this machine. Nobody can read anything through it.",
      "choose": "Choose the address of the network that your devices are in:",
      "address": "Address of the gate",
      "notPrivate": "Not a private address such as 192.168.1.5",
      "listen": "Let devices in here",
      "off": "Turn off",
      "state": {
        "off": "The gate is off.",
        "listening": "The gate listens."
      },
      "waiting": {
        "no_such_address": "This machine does not have {{address}} at the moment. The gate tries again until it does.",
        "taken": "Another program uses port {{port}} at {{address}}. The gate tries again until it is free.",
        "refused": "The system does not let the gate listen at {{address}}, port {{port}}. The gate tries again."
      },
      "enter": "On the device’s own setup page, enter this as its local server:",
      "enterNote": "Enter it exactly like this, without http://: the device adds that itself.",
      "qr": "QR code of {{server}}",
      "let": "Let it join. A device tries before each reading, so it appears here by itself, usually within a minute:",
      "open": "Let devices join",
      "afterOne": "Close when one has joined",
      "isOpen": "Devices may join.",
      "close": "Close now",
      "joined_one": "{{count}} device has joined:",
      "joined_other": "{{count}} devices have joined:",
      "attempts": "Tried to join while joining was closed",
      "unproven": "A device that tries to join has proven nothing about itself: compare its id at the device.",
      "adopt": "Let it in",
      "adoptOf": "Let it in: {{id}}",
      "adoptTitle": "Let this device in",
      "adoptText": "Wellhouse will register the device {{id}} in the private store and keep its readings from the next one on.",
      "name": "Name",
      "adoptNow": "Let it in",
      "nothing": "Nothing arrives?",
      "firewall": "The firewall of this machine may keep devices from port {{port}}:",
      "windows": "Windows: allow Wellhouse on private networks when Windows asks, or under Windows Security, Firewall.",
      "macos": "macOS: System Settings, Network, Firewall: allow incoming connections for Wellhouse.",
      "other": "Check also that the device is in the same network, and that its server entry ends with the port.",
      "toNode": "The node’s page lists refused devices.",
      "kept": "Which of its values are kept",
      "keptAll": "All, unchanged",
      "keptOf": "Kept of {{field}}",
      "keep": {
        "asItComes": "Unchanged",
        "sealed": "Only if sealed",
        "none": "Not kept"
      },
      "keptFew_one": "{{count}} value restricted",
      "keptFew_other": "{{count}} values restricted",
      "ipv6": "The field firmware accepts only IPv4 addresses. Choose this one only for devices that support IPv6.",
      "adoptOwner": "It registered as “{{name}}”, for the owner with this key. Compare it with your own:",
      "adoptNamedOwner": "It registered as “{{name}}”, for {{owner}} with this owner’s key. Compare it with your own:",
      "several": "Several registrations came under this id: choose one",
      "pending": "Waiting to join",
      "waits": {
        "reading": "Registered. Waiting for its first signed reading.",
        "choice": "Different registrations came under this id. Let in the one with your owner’s key; its readings wait in the device.",
        "keeping": "It asks only to be published, so none of its readings would be kept here. Let it in to keep them.",
        "owner": "Joining was open for one device, and another one joined. Let this one in if it is yours."
      },
      "pendingNote": "A registration proves nothing about the device, so it counts only with a signed reading. It waits for a day.",
      "ownerKey": "Owner’s key {{key}}",
      "namedOwnerKey": "{{owner}}, owner’s key {{key}}",
      "signed": "has sent a signed reading",
      "dismiss": "Not mine",
      "dismissOf": "Not mine: {{name}}, {{id}}"
    },
    "clock": {
      "title": "The clock of this node’s machine is not set.",
      "text": "Readings are stored meanwhile; their times are corrected once the clock is set. Check that the machine reaches a time server, or set its clock.",
      "toNode": "Show the clock"
    },
    "exposure": {
      "title": "Other machines can reach the local endpoint at {{addresses}}.",
      "text": "Whoever reaches that address can read every private reading. Look on this machine for a proxy, a forwarded port or a VPN client that leads there, and turn it off."
    },
    "security": {
      "title": "Security",
      "link": "Who can reach this node"
    },
    "people": {
      "title": "Phones and people"
    },
    "viewer": {
      "label": "You are a viewer",
      "text": "You see this as a viewer ({{name}}): readings, charts and exports.",
      "bounded": "You see this as a viewer ({{name}}): some devices, with their charts and exports.",
      "leave": "Sign out here",
      "page": "This page is for the owner",
      "noKeys": "This browser was paired without access to the keys. Open them in another browser.",
      "nothing": "You have no devices to see yet"
    },
    "nodes": {
      "add": "Add a node",
      "alertsOf": "Alerts at {{name}}",
      "badge": "The node that has this device's readings",
      "count_one": "{{count}} other node is shown beside this one.",
      "count_other": "{{count}} other nodes are shown beside this one.",
      "lastSeen": "This page shows its last known state.",
      "moreAlerts_one": "{{count}} more alert there",
      "moreAlerts_other": "{{count}} more alerts there",
      "never": {
        "away": "not reached yet",
        "certificate": "refused: another certificate",
        "time": "refused: its certificate is not valid on this date",
        "token": "refused: the pairing was revoked",
        "other_node": "refused: another node answers",
        "not_understood": "refused: its version is not compatible"
      },
      "none": "You can also show the devices of other machines here, such as a Raspberry Pi in the shed.",
      "since": {
        "away": "not reached since {{time}}",
        "certificate": "refused: another certificate (last seen {{time}})",
        "time": "refused: its certificate is not valid on this date (last seen {{time}})",
        "token": "refused: the pairing was revoked (last seen {{time}})",
        "other_node": "refused: another node answers (last seen {{time}})",
        "not_understood": "refused: its version is not compatible (last seen {{time}})"
      },
      "state": {
        "connected": "connected",
        "connecting": "connecting…",
        "misfit": "connected, but some of its answers are not compatible"
      },
      "thisOne": "this node",
      "title": "Other nodes",
      "toList": "Show the nodes",
      "unknown": "This address names a node that is not in the list",
      "unknownNow": "node away · last reading {{age}}"
    },
    "unwatched": {
      "one": "{{name}}: no rule watches {{fields}}.",
      "devices_one": "{{count}} device sends values that no rule watches.",
      "devices_other": "{{count}} devices send values that no rule watches.",
      "set": "Set ranges",
      "see": "See which values"
    }
  };
  audit: {
    "title": "Log of actions",
    "lead": "What was done to this node, by whom and from where. If an entry is changed or removed, this page says so.",
    "filter": {
      "what": "What",
      "who": "Who",
      "all": "Everything",
      "anybody": "Anybody"
    },
    "none": "No entries",
    "noneText": "Nothing in the log matches these filters.",
    "more": "Show earlier entries",
    "list": "Entries, newest first",
    "from": "from {{address}}",
    "whole": "The log is whole.",
    "broken": "The log was changed or cut",
    "brokenText": "Entries were edited, removed or moved outside of Wellhouse. Run “wellhouse audit --verify” on the machine: it shows where.",
    "group": {
      "access": "People and access",
      "listeners": "Door, gate, public endpoint",
      "devices": "Devices",
      "settings": "Settings and alerts",
      "keys": "Keys",
      "data": "Backups and data",
      "node": "Node and log"
    },
    "who": {
      "node": "The node",
      "machine": "Desktop app",
      "page": "Page on this machine",
      "command": "Command line",
      "pairing": "Paired device",
      "key": "Owner's key"
    },
    "kind": {
      "pairing_opened": "Pairing code created for {{name}}",
      "pairing_closed": "Pairing code cancelled",
      "paired": "{{name}} was paired",
      "key_entered": "Signed in with the owner's key {{key}}",
      "pairing_revoked": "Access of {{name}} revoked",
      "pairing_left": "Gave up its own access",
      "door_keys_set_one": "{{count}} owner's key may open the door",
      "door_keys_set_other": "{{count}} owners' keys may open the door",
      "wrong_codes_one": "{{count}} wrong code or key at the door",
      "wrong_codes_other": "{{count}} wrong codes or keys at the door",
      "door_opened": "Door opened at {{address}}",
      "door_closed": "Door closed",
      "door_authority_replaced": "Certificate authority of the door replaced",
      "gate_opened": "Gate opened at {{address}}",
      "gate_closed": "Gate closed",
      "public_opened": "Public endpoint turned on",
      "public_closed": "Public endpoint turned off",
      "joining_opened": "Joining opened for new devices",
      "joining_closed": "Joining closed",
      "device_adopted": "Device {{name}} let in",
      "device_forgotten": "Device {{device}} forgotten, with its readings",
      "device_hidden": "Device {{device}} hidden",
      "device_shown": "Device {{device}} shown again",
      "registration_dismissed": "Registration of device {{device}} dismissed",
      "device_pointed": "Device {{device}} given the address of this node",
      "demo_started": "Demo devices started",
      "demo_stopped": "Demo devices removed",
      "settings_changed": "Settings changed: {{names}}",
      "choices_changed": "View changed: {{names}}",
      "retention_set": "How long readings are kept was changed",
      "alert_rule_written": "Alert rule {{name}} saved",
      "alert_rule_deleted": "Alert rule {{name}} deleted",
      "alert_channel_written": "Alert channel {{name}} saved",
      "alert_channel_deleted": "Alert channel {{name}} deleted",
      "alert_options_set": "Alert options changed",
      "notice_dismissed": "Notice about {{file}} dismissed",
      "node_added": "Other node {{name}} added",
      "node_renamed": "Other node renamed to {{name}}",
      "node_removed": "Other node {{name}} removed",
      "keys_read": "Encrypted keystore read",
      "keys_written": "Keystore changed",
      "keys_exported": "Keys exported",
      "backup_started": "Backup started",
      "backup_made": "Backup made: {{path}}",
      "restore_started": "Restore started from {{path}}",
      "restored": "Data restored from {{path}}",
      "restore_undone": "Restore undone",
      "backup_folder_confirmed": "Backup folder {{path}} confirmed",
      "export_started": "Data exported to {{path}}",
      "imported": "Data imported from {{path}}",
      "store_compacted": "Store compacted",
      "data_moved": "Data folder moved to {{path}}",
      "data_folder_chosen": "Data folder {{path}} chosen",
      "old_data_deleted": "Old data in {{path}} deleted",
      "node_started": "Node started, version {{version}}",
      "node_restarted": "Node started again after a crash or power cut, version {{version}}",
      "node_stopped": "Node stopped",
      "log_torn": "A half-written entry was left by a crash",
      "log_broken": "The log was changed or cut before this entry",
      "log_gap_one": "{{count}} entry before this could not be written",
      "log_gap_other": "{{count}} entries before this could not be written",
      "unknown": "{{kind}} (of a later version)"
    }
  };
  backups: {
    "title": "Backups",
    "lead": "A backup is one file with everything that makes this node: readings, identity, keys, settings and alerts. Keep it on another disk.",
    "close": "Close",
    "cancel": "Cancel",
    "status": {
      "title": "State",
      "now": "Back up now",
      "noFolder": "You have not chosen a folder, so no backups are made. If this disk fails, everything is lost.",
      "failed": "The latest attempt failed",
      "last": "Latest in the folder",
      "never": "None yet",
      "size": "Size and time",
      "sizeIn": "{{size}} in {{seconds}} s",
      "encryption": "Encrypted",
      "next": "Next backup",
      "none": "None",
      "elsewhere": "Latest in other folders",
      "sameDisk": "The backup folder is on the same disk as the data. If this disk fails, the data, your keys and the backups are lost together. Choose a folder on another disk."
    },
    "encryption": {
      "none": "not encrypted",
      "recipient": "to your phrase",
      "passphrase": "with a passphrase"
    },
    "work": {
      "backup": "A backup is being made.",
      "check": "A backup is being checked.",
      "restore": "A backup is being restored.",
      "cancel": "Stop"
    },
    "phase": {
      "copying": "Copying the stores…",
      "writing": "Writing the file…",
      "verifying": "Reading it back…",
      "reading": "Reading the file…",
      "opening": "Opening the stores…",
      "placing": "Putting it in place…"
    },
    "plan": {
      "title": "Where, when and how",
      "folder": "Folder on this node’s machine",
      "folderText": "Choose one on another disk, and create it first: Wellhouse never creates a missing folder, because its disk may not be connected. Leave empty for no backups.",
      "pinned": "An environment variable sets this.",
      "encryption": "Encryption",
      "encryptionText": "The node stores only the key that encrypts a backup, never the one that opens it.",
      "kept": "To the phrase chosen before",
      "phrase": "To your phrase",
      "otherPhrase": "To another phrase",
      "phraseText": "You type it once, here. It is never sent to the node.",
      "none": "Not encrypted",
      "noneText": "On disks with permissions, only this machine’s user can read it.",
      "noneWarning": "Whoever has such a file has your readings and can impersonate this node.",
      "time": "Daily, by the node’s clock",
      "keepDaily": "Days kept",
      "keepWeekly": "Weeks kept",
      "keepMonthly": "Months kept",
      "refused": "Enter numbers from 0 to 1000 and a time such as 03:30.",
      "save": "Save",
      "noneInstead": "Without a phrase, only a backup that you make by hand can have a passphrase: for scheduled ones the node would have to store it."
    },
    "files": {
      "title": "Backups of this node",
      "text": "Check one twice a year: only then do you know that it opens.",
      "none": "The folder has no backups.",
      "before": "made before a change",
      "other": "Another backup",
      "otherText": "Its path on this node’s machine, or a folder with backups.",
      "unverified": "not made or checked by this node",
      "in": "In"
    },
    "check": {
      "button": "Check…"
    },
    "open": {
      "title": {
        "check": "Check this backup",
        "restore": "Restore this backup"
      },
      "text": {
        "check": "Wellhouse opens it as a restore would: it reads every byte, and opens and checks its stores. Nothing is changed.",
        "restore": "The backup replaces everything in this node. Wellhouse unpacks and checks it first; then the node stops for a moment and starts again with it."
      },
      "start": {
        "check": "Check",
        "restore": "Restore"
      }
    },
    "opened": {
      "done": {
        "check": "This backup is whole",
        "restore": "Restored",
        "undo": "The data from before is back"
      },
      "failed": {
        "check": "This backup can’t be used",
        "restore": "Nothing was restored",
        "undo": "Nothing was put back"
      }
    },
    "restore": {
      "button": "Restore…",
      "kept": "The present data stays in the data folder, under a name with the time.",
      "aside": "The earlier data is in"
    },
    "restored": {
      "title": "This data was restored",
      "text": "On {{at}}, from a backup of {{madeAt}}.",
      "twins": "Never run two nodes with the same identity: keep the earlier one off for good.",
      "where": "The backup was made of",
      "seen": "The earlier node is off"
    },
    "heldBack": {
      "title": "Restored, and off until you confirm it",
      "text": "These came with the restored data and are not as they were here before. Confirm only what you set up yourself. The node starts again for that, within seconds.",
      "kind": {
        "public": "Public endpoint:",
        "gate": "Gate for devices:",
        "door": "Door for phones and people:",
        "hosts": "Host names that are let in:",
        "mqtt": "MQTT broker that readings are sent to:",
        "metrics": "Metrics for Prometheus:",
        "backups": "Backup folder, and what backups are encrypted to:",
        "channel": "Alert channel:",
        "node": "Other node:"
      },
      "confirm": "Confirm",
      "confirmOf": "Confirm: {{what}}",
      "drop": "Forget",
      "dropOf": "Forget: {{what}}",
      "confirmAll": "Confirm all"
    },
    "contents": {
      "made": "Made",
      "madeBy": "{{at}}, by Wellhouse {{program}}",
      "on": "On",
      "private": "Private store",
      "public": "Public store",
      "held_one": "{{readings}} reading; devices: {{devices}}",
      "held_other": "{{readings}} readings; devices: {{devices}}",
      "older": "Its stores are of an older version; a restore brings them up to date.",
      "active": "It listens, sends or lets others in here, which stays off until you confirm it:"
    },
    "key": {
      "phrase": "Your phrase",
      "passphrase": "Passphrase of the backup",
      "none": "This file is not encrypted.",
      "unusable": "This is not a phrase: check its words and their number.",
      "insecure": "This page came over an unprotected network: do not type a phrase here. Open the page on the node’s machine or through a tunnel.",
      "keystore": "Your unlocked keystore opens it."
    },
    "fault": {
      "not_a_backup": "This file is not a Wellhouse backup.",
      "damaged": "The backup is damaged. Use another one.",
      "newer": "A newer Wellhouse made this backup. Update this one, then try again.",
      "needs_key": "It is encrypted with a phrase. Type that phrase.",
      "needs_passphrase": "It is encrypted with a passphrase. Type it.",
      "wrong_key": "This phrase does not open it: it was made for another owner’s phrase, or the start of the file is damaged.",
      "wrong_passphrase": "This passphrase does not open it.",
      "no_folder": "The folder is missing or is not the chosen one: connect its disk, or choose an existing folder outside the data folder.",
      "no_room": "The disk does not have enough free space.",
      "refused": "The system refused it.",
      "bad_data": "This node’s own data is damaged, so a backup of it would be useless.",
      "busy": "Another backup, check or restore is under way.",
      "not_empty": "Other data is in the way.",
      "nothing_kept": "There is no earlier data to put back.",
      "cancelled": "It was stopped.",
      "no_file": "The node’s machine has no such file.",
      "other_node": "This folder belongs to another copy of this node, such as the one that it was restored from. It stays untouched until you confirm that this node takes its place."
    },
    "undo": {
      "heading": "Data from before the restore",
      "kept": "The data from before a restore on {{at}} is still here. Delete the folder when all is well: it takes as much space as the data did.",
      "button": "Put it back…",
      "title": "Put back the earlier data",
      "text": "The node stops for a moment and starts again with the data from before the restore. The restored data moves into a folder named restored-<time>. Only that folder has the readings that arrived since the restore; devices do not send them again.",
      "start": "Put it back"
    },
    "passphrase": {
      "button": "With a passphrase…",
      "title": "A backup with a passphrase",
      "text": "For owners who have no phrase yet. The node gets the passphrase for this one file and does not store it. Without it nobody can open the file.",
      "start": "Back up"
    },
    "away": {
      "title": "The node starts with the restored data",
      "text": "It should be back within five minutes. If not, it could not start: both the restored and the earlier data are safe. The log on its machine says why, and “restore --undo” on the command line puts the earlier data back."
    },
    "health": {
      "healthy": "The node runs with it and reads both stores.",
      "failed": "But the node did not start as it should. You can put back the earlier data below; Wellhouse never does that by itself.",
      "slow": "But the node takes long to start. Wait, or put back the earlier data below; Wellhouse never does that by itself."
    },
    "doubt": {
      "node": {
        "title": "This node makes no backups yet",
        "text": "The backup folder belongs to another copy of this node, such as the one that this data was restored from. This node writes and deletes nothing there. If you are only trying a backup out, leave it so or choose another folder. If the other copy is off for good, let this node take its place.",
        "action": "The other copy is off: this node takes its place",
        "restored": "This data was restored on {{at}}, from a backup of {{madeAt}}."
      },
      "disk": {
        "title": "This is not the previous backup folder",
        "text": "The mark in this folder is missing or different, for example because its disk is not connected. Connect the disk. If you have replaced the disk, confirm it here.",
        "action": "It is a new disk: use this folder"
      }
    }
  };
  charts: {
    "chart": {
      "allSealed_one": "The one value here is sealed",
      "allSealed_other": "All {{shown}} values here are sealed",
      "count": "Readings",
      "empty": "The chart appears with the first reading.",
      "from": "From",
      "hideTable": "Hide the table",
      "keys": "Left and right arrows move the cursor, with Shift the whole range; plus and minus zoom; Backspace goes back.",
      "loading": "Loading the charts",
      "max": "Max",
      "mean": "Mean",
      "min": "Min",
      "none": "No values in this range",
      "noneOpens": "None of the sealed values here can be opened",
      "readout": "{{value}} · {{time}}",
      "readoutNone": "No value · {{time}}",
      "receivedAxis": "The clock of this device is not set, so its readings are shown at their time of arrival.",
      "showAll": "Show all {{shown}} rows",
      "showTable": "Show as a table",
      "someSealed_one": "{{shown}} sealed value is not drawn",
      "someSealed_other": "{{shown}} sealed values are not drawn",
      "stepReadout": "{{mean}} · {{min}} – {{max}} · {{step}} from {{from}}",
      "stepReadoutOne": "{{mean}} · {{step}} from {{from}}",
      "summary": "{{name}} from {{from}} to {{to}}. Values: {{number}}. Minimum {{min}}, maximum {{max}}, mean of the readings {{mean}}.",
      "summaryLoading": "{{name}} from {{from}} to {{to}}. Loading the values.",
      "summaryNone": "{{name}} from {{from}} to {{to}}. No values.",
      "tableOf": "{{name}} as a table",
      "time": "Time",
      "title": "Charts",
      "unsent": "No stored values of: {{fields}}",
      "value": "Value"
    },
    "range": {
      "back": "Back",
      "from": "From",
      "fromTo": "From – to",
      "label": "Time range of the charts",
      "panLeft": "Earlier",
      "panRight": "Later",
      "preset": {
        "1h": "1 h",
        "1y": "1 y",
        "24h": "24 h",
        "30d": "30 d",
        "7d": "7 d",
        "8h": "8 h",
        "all": "All",
        "today": "Today",
        "yesterday": "Yesterday",
        "lastNight": "Last night",
        "thisWeek": "This week",
        "lastWeek": "Last week",
        "thisMonth": "This month",
        "lastMonth": "Last month"
      },
      "presets": "Ranges that end now",
      "refused": "The end must be after the beginning",
      "show": "Show",
      "to": "To",
      "zoomIn": "Zoom in",
      "zoomOut": "Zoom out",
      "named": "Range by name",
      "chosen": "A range of your own",
      "calendar": "Days, weeks and months",
      "sparse": "The readings of this range lie between {{from}} and {{to}}.",
      "zoomToReadings": "Zoom in on them"
    },
    "fields": {
      "open": "Fields",
      "some_one": "{{shown}} of {{count}} field",
      "some_other": "{{shown}} of {{count}} fields",
      "noneHere": "This device sends none of the chosen fields."
    },
    "overlay": {
      "label": "Compare with earlier values",
      "none": "No comparison",
      "with": {
        "yesterday": "Compare: a day earlier",
        "lastWeek": "Compare: a week earlier"
      },
      "name": {
        "yesterday": "a day earlier",
        "lastWeek": "a week earlier"
      },
      "note": "Pale and dashed: {{overlay}}, mean of the readings {{mean}}",
      "noteNone": "{{overlay}}: no values",
      "noteLoading": "{{overlay}}: loading",
      "readout": "{{overlay}} {{value}}",
      "noteSealed": "{{overlay}}: all values are sealed"
    },
    "stats": {
      "label": "{{name}}: minimum, mean and maximum of this range",
      "min": "Min",
      "mean": "Mean",
      "max": "Max",
      "values": "Values",
      "steps": "Line: means of {{step}}. Band: minimum to maximum.",
      "meanText": "Mean of the readings: times with more readings count more",
      "partOf": "Counted",
      "part": {
        "opened": "of the opened part",
        "plain": "of the plain values"
      }
    },
    "note": "note {{number}}: {{text}}",
    "compareLink": "Compare with others",
    "allowed": "Allowed: {{ranges}}"
  };
  compare: {
    "title": "Compare",
    "none": "Nothing to compare yet",
    "noneText": "Choose a device and a field above; up to eight lines share one axis of time, with a chart for each unit.",
    "noValues": "No values in this range",
    "failed": "The values could not be loaded",
    "hidden": "The device {{device}} is hidden: its line is not drawn.",
    "unknown": "This node no longer knows the device {{device}}.",
    "drop": "Leave it out",
    "panel": "{{name}} from {{from}} to {{to}}",
    "linesOf": "Lines of {{name}}",
    "line": "{{device}} – {{field}}",
    "stats_one": "min {{min}} · mean of the readings {{mean}} · max {{max}} · {{number}} value",
    "stats_other": "min {{min}} · mean of the readings {{mean}} · max {{max}} · {{number}} values",
    "means": "line of means of {{step}}",
    "byArrival": "shown at arrival: its clock is not set",
    "remove": "Leave out {{name}}",
    "atNone": "no value",
    "picker": {
      "label": "Add a line",
      "device": "Device",
      "field": "Field",
      "choose": "Choose…",
      "groups": "Whole groups",
      "group": "All of {{name}}",
      "noGroup": "Devices",
      "add": "Add",
      "most": "At most {{count}} lines"
    },
    "saved": {
      "label": "Saved comparisons",
      "open": "Saved comparisons",
      "none": "None open",
      "change": "Save the changes",
      "rename": "Rename",
      "renameAction": "Rename",
      "add": "Save this comparison",
      "addAction": "Save",
      "name": "Name",
      "delete": "Delete",
      "deleteSure": "Yes, delete it",
      "failed": "The comparison was not saved."
    },
    "intervals": "The readings are between {{least}} and {{greatest}} apart. A mean counts readings, so times with more of them count more."
  };
  desktop: {
    "menu": {
      "file": "&File",
      "edit": "&Edit",
      "view": "&View",
      "window": "&Window",
      "help": "&Help",
      "overview": "Overview",
      "connect": "Connect a device",
      "keys": "Keys",
      "settings": "Settings…",
      "lockKeys": "Lock keys now",
      "showDataFolder": "Show data folder",
      "about": "About Wellhouse",
      "quit": "Quit Wellhouse",
      "close": "Close window",
      "undo": "Undo",
      "redo": "Redo",
      "cut": "Cut",
      "copy": "Copy",
      "paste": "Paste",
      "selectAll": "Select all",
      "reload": "Reload",
      "developerTools": "Developer tools",
      "zoomIn": "Zoom in",
      "zoomOut": "Zoom out",
      "actualSize": "Actual size",
      "fullScreen": "Full screen",
      "minimize": "Minimize"
    },
    "tray": {
      "open": "Open Wellhouse",
      "starting": "Starting",
      "running": "Receiving readings",
      "failed": "Not running: open the window to see why",
      "moving": "Moving the data folder",
      "stopped": "Stopped",
      "devices_one": "{{count}} device",
      "devices_other": "{{count}} devices",
      "lastReading": "Last reading: {{time}}",
      "noReading": "No reading yet",
      "pausePublic": "Pause the public endpoint",
      "openPublic": "Turn the public endpoint on…",
      "pinnedOn": "Public endpoint: on, set by {{variable}}",
      "pinnedOff": "Public endpoint: off, set by {{variable}}",
      "resumePublic": "Turn the public endpoint on",
      "quit": "Quit",
      "alerts_one": "{{count}} active alert",
      "alerts_other": "{{count}} active alerts"
    },
    "publicFault": {
      "notOn": "The public endpoint is still off",
      "notOff": "The public endpoint is still on",
      "taken": "Another program uses port {{port}}. You can choose another port in the settings.",
      "takenBy": "Port {{port}} is in use by {{program}}. You can choose another port in the settings.",
      "privileged": "Only administrators may open port {{port}}. You can choose another port in the settings.",
      "equal": "The local endpoint uses port {{port}}. You can choose another port in the settings.",
      "moving": "The data folder is being moved. Try again afterwards.",
      "other": "It could not be changed. The settings show its present state.",
      "settings": "Open settings",
      "close": "Close"
    },
    "close": {
      "question": "Keep receiving readings when the window is closed?",
      "detail": "Wellhouse can stay in the tray and go on receiving. If it quits, readings are lost after some time. You can change this in the settings.",
      "toTray": "Stay in the tray",
      "quit": "Quit",
      "cancel": "Cancel"
    },
    "link": {
      "question": "Open this address in your browser?",
      "open": "Open",
      "cancel": "Cancel"
    },
    "about": {
      "version": "Wellhouse {{version}}",
      "nodeKey": "Public key of this node",
      "noKey": "not known: the node is not running",
      "copy": "Copy",
      "close": "Close"
    },
    "crash": {
      "title": "The window of Wellhouse failed twice",
      "detail": "The node itself is not affected: it still receives readings. The log in {{folder}} has the reason.",
      "again": "Try again",
      "quit": "Quit"
    },
    "fault": {
      "title": "Wellhouse has to stop",
      "detail": "An unexpected error ended the program. Readings that were confirmed to devices are safe. The log is in {{folder}}."
    },
    "notice": {
      "silent": "{{name}} is silent",
      "silentBody": "Its last reading arrived {{since}}.",
      "knocking": "An unregistered device is posting",
      "knockingBody": "Device {{id}}… posts to the local endpoint. Open Wellhouse to let it in.",
      "store": "Readings can’t be stored",
      "storeBody": "The disk is full or the store fails. Devices keep their newest readings only for a while.",
      "acknowledge": "Acknowledge",
      "snooze": "Snooze for an hour"
    }
  };
  device: {
    "about": {
      "title": "About this device"
    },
    "column": {
      "delay": "Delay",
      "keyVersion": "Key",
      "receivedAt": "Received",
      "seq": "Seq",
      "store": "Store",
      "time": "Time"
    },
    "common": {
      "cancel": "Cancel",
      "close": "Close"
    },
    "export": {
      "again": "Save again",
      "all": "Everything",
      "cancelled": "Cancelled; no file was written.",
      "csv": "CSV",
      "csvText": "For spreadsheets. Values have the units that you see, named in the header. Times are in UTC and local time; that of measurement also in milliseconds. A sealed value is written as “sealed v” and its key version. Texts that look like formulas are made harmless.",
      "dialect": "Separators",
      "dialectText": "Which one your spreadsheet needs depends on its language.",
      "done_one": "{{done}} of {{total}} reading",
      "done_other": "{{done}} of {{total}} readings",
      "failed": "The file could not be completed.",
      "finished_one": "{{shown}} reading is in {{name}}",
      "finished_other": "{{shown}} readings are in {{name}}",
      "format": "File format",
      "locked": "The keys were locked during the export, so no file was written.",
      "ndjson": "NDJSON",
      "ndjsonText": "For programs: one JSON object a line, values as the device sent them with their units, sealed values with cipher and nonce.",
      "open": "Export",
      "opened": "Write opened values",
      "openedText": {
        "csv": "A last column names the opened fields, and why others did not open.",
        "ndjson": "Each line names the opened fields. Others stay sealed, with the reason."
      },
      "progress": "Progress of the export",
      "range": "All readings of a time range",
      "rangeText": "Every column, oldest first.",
      "shown_one": "The one reading of the table",
      "shown_other": "The {{shown}} readings of the table",
      "shownText": "The columns chosen for the table, in its order, also those that do not fit on the page.",
      "start": "Export",
      "starting": "Starting…",
      "title": "Export readings",
      "what": "What to export",
      "dialects": {
        "comma": "6.2,7.1 (commas)",
        "semicolon": "6,2;7,1 (semicolons)"
      },
      "shownPart": "{{shown}} of {{total}} readings: this page of the table"
    },
    "forget": {
      "after": "It can register again afterwards. Whoever registers an id first owns it, so forget a device only when it should start over.",
      "failed": "The device was not forgotten.",
      "forget": "Forget for good",
      "heading": "Forget this device",
      "intro": "Deletes the device and its readings from one store. A device that still sends through the gate registers again by itself while joining is open; elsewhere it must be switched off and on.",
      "next": "Continue",
      "sure_one": "Yes, delete {{shown}} reading",
      "sure_other": "Yes, delete {{shown}} readings",
      "text": {
        "private_one": "“{{name}}” and its {{shown}} reading will be deleted from the private store. This cannot be undone.",
        "private_other": "“{{name}}” and its {{shown}} readings will be deleted from the private store. This cannot be undone.",
        "public_one": "“{{name}}” and its {{shown}} reading will be deleted from the public store. This cannot be undone.",
        "public_other": "“{{name}}” and its {{shown}} readings will be deleted from the public store. This cannot be undone."
      },
      "title": {
        "private": "Forget in the private store",
        "public": "Forget in the public store"
      },
      "type": "Type {{digits}}, the first digits of its id, to confirm"
    },
    "hide": {
      "failed": "This was not saved.",
      "heading": "Hide this device",
      "hide": "Hide",
      "isHidden": "This device is hidden: it appears in no list, count or alert. Its readings are still stored.",
      "show": "Show again",
      "text": "It disappears from every list, count and alert. Its readings are still stored. To bring it back, use “Hidden devices” at the end of the overview."
    },
    "identity": {
      "copyId": "Copy the device id",
      "copyOwner": "Copy the owner’s public key",
      "created": {
        "private": "Registered, private",
        "public": "Registered, public"
      },
      "hardware": "Hardware",
      "id": "Id",
      "interval": "Usual interval",
      "mac": "MAC address",
      "ownName": "Its own name",
      "owner": "Owner",
      "readings": {
        "private": "Readings, private",
        "public": "Readings, public"
      },
      "span": "Time span",
      "title": "Identity",
      "type": "Type",
      "unknown": "not known yet"
    },
    "location": {
      "area": "The cell covers {{area}}.",
      "cell": "H3 cell of resolution {{resolution}} of 15: about as large as {{size}}.",
      "copy": "Copy the H3 index",
      "invalid": "The device gave a location that is not a valid H3 cell, so there is no map.",
      "mapOf": "Map with the cell of {{name}}",
      "noCoast": "The map has no coast near here; the cells around have the same size.",
      "none": "The device registered without a location.",
      "size": {
        "bed": "a garden bed",
        "block": "a few blocks of a town",
        "city": "a city",
        "continent": "a part of a continent",
        "county": "a county",
        "district": "a neighbourhood",
        "plot": "a plot of land",
        "region": "a region",
        "room": "a room",
        "table": "a small table"
      },
      "title": "Location",
      "toCell": "Zoom to the cell",
      "zoomIn": "Zoom in",
      "zoomOut": "Zoom out"
    },
    "notes": {
      "automatic": "automatic",
      "failed": "The notes were not saved.",
      "freeText": "About this device",
      "mine": "Is it yours?",
      "mineText": "At the public endpoint an owner’s key proves nothing. A device that is not yours raises no alert.",
      "mines": {
        "auto": "Not said",
        "no": "No",
        "yes": "Yes"
      },
      "name": "Name",
      "open": "Edit notes",
      "rename": "Rename",
      "save": "Save",
      "status": "Status",
      "statusText": "A silent device raises no alert while it is inactive or lost.",
      "statuses": {
        "0": "Active",
        "1": "Inactive",
        "2": "Lost"
      },
      "text": "These notes stay on this node; nobody else sees them.",
      "threshold": "Silent after",
      "thresholdRefused": "From one second to 366 days",
      "thresholdText": "If empty: three times its usual interval, now {{span}}.",
      "thresholdUnit": "Unit of time",
      "title": "Notes on this device",
      "unit": {
        "days": "days",
        "hours": "hours",
        "minutes": "minutes",
        "seconds": "seconds"
      }
    },
    "page": {
      "back": "Back to all devices",
      "unknown": "This node knows no such device",
      "unknownText": "It may have been forgotten, or it has not registered yet."
    },
    "policy": {
      "field": "Field",
      "more_one": "{{count}} more place is named in the policy",
      "more_other": "{{count}} more places are named in the policy",
      "named": "Named in the policy: another server by its key, or a network",
      "place": {
        "others": "Everybody else",
        "private": "Private store here",
        "public": "Public store here"
      },
      "publishTo": {
        "0": "The device publishes only to its owner: the public store keeps none of its readings.",
        "1": "The device publishes to everybody: the private store keeps none of its readings.",
        "2": "The device publishes to both stores: to its owner and to everybody."
      },
      "registered": {
        "private": "(as registered in the private store)",
        "public": "(as registered in the public store)"
      },
      "rule": "This node never stores a form that reveals more than the policy.",
      "sent": {
        "no": "not sent",
        "notKept": "not kept",
        "nothing": "nothing kept",
        "plain": "in plain",
        "sealed": "sealed"
      },
      "table": "Where each field goes",
      "title": "Privacy policy",
      "twoLines": "The first line of a cell is what the policy allows. The second is what the stored readings have.",
      "arrived": {
        "label": "Arrived:",
        "nothing": "nothing arrived",
        "plain_one": "{{shown}} in plain",
        "plain_other": "{{shown}} in plain",
        "sealed_one": "{{shown}} sealed",
        "sealed_other": "{{shown}} sealed",
        "withheld_one": "{{shown}} withheld",
        "withheld_other": "{{shown}} withheld",
        "missing_one": "{{shown}} without it",
        "missing_other": "{{shown}} without it"
      }
    },
    "readings": {
      "columns": "Columns",
      "copied": "Reading {{seq}} copied",
      "copy": "Copy the row",
      "copyJson": "Copy the JSON",
      "copyRow": "Copy reading {{seq}}",
      "drawer": "Reading {{seq}}",
      "drawerText": "As the node has it",
      "json": "Show as JSON",
      "jsonRow": "Show reading {{seq}} as JSON",
      "noRoom": "Not shown for lack of room: {{columns}}",
      "none": "No readings yet",
      "noneText": "The first reading appears here within a second of its arrival.",
      "notOpened": "Fields that did not open",
      "title": "Readings",
      "uptime": "up for {{span}}",
      "counted_one": "{{total}} reading",
      "counted_other": "{{total}} readings",
      "countedPart_one": "{{first}}–{{last}} of {{total}} reading",
      "countedPart_other": "{{first}}–{{last}} of {{total}} readings",
      "fromTo": "{{from}} – {{to}}",
      "now": "now",
      "all": "all that there is",
      "filtered": "filtered",
      "nonePasses": "No reading of this range passes the filter",
      "noneInRange": "No readings in the range of the charts",
      "showAll": "Show all readings",
      "sortedPage": "Only this page is sorted; by time, the whole range is.",
      "withheld": "sealed (only owners get its bytes)"
    },
    "store": {
      "private": "private",
      "public": "public"
    },
    "moved": {
      "title": "Corrected times",
      "text": "This node’s clock was wrong when these readings arrived. Their times of arrival were corrected later. Their times of measurement are those of the device.",
      "later_one": "{{time}}: {{shown}} reading moved {{span}} later",
      "later_other": "{{time}}: {{shown}} readings moved {{span}} later",
      "earlier_one": "{{time}}: {{shown}} reading moved {{span}} earlier",
      "earlier_other": "{{time}}: {{shown}} readings moved {{span}} earlier"
    },
    "withheld": {
      "encrypted_only_one": "{{shown}} value of {{field}} came to {{store}} in plain, though the policy allows it only sealed.",
      "encrypted_only_other": "{{shown}} values of {{field}} came to {{store}} in plain, though the policy allows them only sealed.",
      "none": "Nothing: everything that arrived was within the policy.",
      "omit_one": "{{shown}} value of {{field}} came to {{store}}, though the policy does not send it there.",
      "omit_other": "{{shown}} values of {{field}} came to {{store}}, though the policy does not send them there.",
      "omitHere_one": "{{shown}} value of {{field}} was not stored in {{store}}, by a rule for this node.",
      "omitHere_other": "{{shown}} values of {{field}} were not stored in {{store}}, by a rule for this node.",
      "publish_to_one": "{{shown}} block came to {{store}}, where the device does not publish.",
      "publish_to_other": "{{shown}} blocks came to {{store}}, where the device does not publish.",
      "store": {
        "private": "the private store",
        "public": "the public store"
      },
      "text": "The node dropped what the policy does not allow and kept the rest.",
      "ours": "Rules for this node were chosen when the device was let in, or registered by the device itself.",
      "disagree": "The device’s firmware and its policy disagree: check its configuration.",
      "title": "Withheld",
      "when": "First {{first}}, last {{last}}"
    },
    "units": {
      "empty": "Distance when empty ({{unit}})",
      "full": "Distance when full ({{unit}})",
      "general": "As for all devices",
      "label": "Name of the unit",
      "labelRefused": "A name for the unit",
      "none": "pH",
      "of": "Units of {{name}}",
      "other": "Another unit…",
      "sent": "The device sends",
      "shown": "Show",
      "tankRefused": "Enter two distances, the one when empty being greater",
      "tankText": "Measure from the sensor to the water, once with the tank empty and once with it full. The level is then shown in per cent.",
      "title": "Units and tank",
      "text": "Wellhouse converts the numbers that the device sends. The settings page sets “As for all devices”. If you enter the distances from the sensor to the water when the tank is empty and full, the level is shown in per cent.",
      "failed": "The units were not saved.",
      "save": "Save",
      "setTank": "Show as per cent full"
    },
    "earlierLabels": {
      "converted": "{{field}} had the label “{{label}}”, which changed no number. It is now converted from {{sent}} and shown in {{unit}}.",
      "dropped": "{{field}} had the label “{{label}}”, but its number is a distance in {{sent}}. For a per cent, enter the distances of the empty and the full tank under “Units and tank”.",
      "right": "Right, show {{unit}}",
      "sent": "No, the device sends {{unit}}",
      "title": "Are these units right?",
      "understood": "Understood"
    },
    "filter": {
      "label": "Filter of the readings",
      "field": "Field to filter by",
      "all": "All readings",
      "form": "Form of the value",
      "forms": {
        "any": "with a value",
        "plain": "in plain",
        "sealed": "sealed"
      },
      "min": "At least, {{unit}}",
      "max": "At most, {{unit}}",
      "minShort": "at least",
      "maxShort": "at most",
      "refused": "Not a number",
      "clear": "Clear"
    },
    "pager": {
      "label": "Pages of the readings",
      "shown": "{{first}}–{{last}} of {{total}}",
      "newer": "Newer",
      "older": "Older"
    }
  };
  door: {
    "title": "Phones and people",
    "lead": "Readings on your phone, on another computer, or for somebody else: over your own network, encrypted, and for nobody whom you have not let in.",
    "door": {
      "title": "The door",
      "text": "A way in for those you let in. It listens at the address of this machine that you choose, and shows nothing without a code from here.",
      "address": "Address of this machine",
      "everywhere": "all addresses of this machine",
      "noAddress": "Not an address",
      "open": "Open the door",
      "close": "Close the door",
      "isOff": "The door is closed: only this machine itself shows the readings.",
      "isOpen": "Open at {{address}}, port {{port}}.",
      "isOpenEverywhere": "Open at all addresses of this machine, port {{port}}: {{addresses}}.",
      "waiting": {
        "no_such_address": "This machine does not have the address {{address}} now. The door opens once it has.",
        "taken": "Another program uses port {{port}}. The door opens when it is free.",
        "refused": "The system does not let the door open at {{address}}, port {{port}}.",
        "certificate": "The door has no certificate that can be used."
      },
      "certificateProblem": "The certificate of the settings can’t be used:"
    },
    "certificate": {
      "title": "Port and certificate",
      "own": "This node signs it itself, so a phone warns at first. Compare the fingerprint, or have the phone trust it.",
      "files": "It is from your own files.",
      "until": "Valid until {{at}}, for",
      "fingerprint": "Fingerprint (SHA-256)"
    },
    "authority": {
      "bounded": "Its authority can sign only for this node and for home networks, until {{at}}. Replace it if somebody may have got its key, for example with a stolen disk.",
      "unbounded": "The authority that signs this node’s certificate was made by an earlier version: with its key somebody could sign for any website, and phones that trust it would believe that. A new authority can sign only for this node and for home networks.",
      "replace": "Replace the authority",
      "done": "Replaced. The new fingerprint is under “Port and certificate”.",
      "title": "Replace the authority?",
      "after": "Everybody keeps access, but the fingerprint changes:",
      "trusting": "Phones and computers that were told to trust this node: remove the old authority there, and install the new one from the door’s address, /ui/wellhouse-ca.crt.",
      "others": "Other browsers warn once more. Compare the new fingerprint there before you go on.",
      "programs": "Other nodes and programs that use this node refuse it until it is added there again with a new code."
    },
    "own": {
      "doorPort": "Port",
      "doorPortText": "After a change, phones and people open the door at the new port.",
      "doorCert": "Certificate file",
      "doorCertText": "Only for a certificate of your own, such as from “tailscale cert”: the path of its PEM file on this machine. Empty: the node makes one.",
      "doorKey": "Key file",
      "doorKeyText": "The path of the PEM file with its key.",
      "noPort": "A whole number from 1 to 65535",
      "both": "Certificate and key belong together: fill in both, or neither.",
      "save": "Save",
      "saved": "Saved. The change applies now."
    },
    "role": {
      "owner": "Owner",
      "viewer": "Viewer",
      "viewerOf_one": "Viewer of {{count}} device",
      "viewerOf_other": "Viewer of {{count}} devices"
    },
    "roleText": {
      "owner": "Sees and does everything that you do here, but opens no keys unless you say so.",
      "viewer": "Sees readings and charts, and exports them. Changes nothing, and sees no keys or settings."
    },
    "add": {
      "title": "Add a phone or person",
      "name": "Name",
      "namePlaceholder": "My phone",
      "role": "Role",
      "devices": "Devices",
      "allDevices": "All devices",
      "mayUnlock": "May open the keys there",
      "mayUnlockText": "For a phone of your own. Sealed readings can be opened on it with your passphrase.",
      "make": "Make a code",
      "over": "This code has expired. Make a new one.",
      "done": "{{name}} is in.",
      "qr": "QR code of the link",
      "scan": "Scan this with the phone’s camera, or open the link on the other computer.",
      "copyLink": "Copy the link",
      "code": "Or open {{origin}} there, and type this code:",
      "left": "Valid for {{minutes}} min and one use.",
      "warning": "The phone has to be in the same network as {{address}}. It warns of the certificate at first, since this node signs it itself: choose to go on.",
      "for": "For {{name}}, as: {{role}}",
      "at": "Address",
      "atText": "The door is open at all of these. Choose the one that the phone can reach, such as that of your Wi-Fi or VPN.",
      "elsewhere": "A code for {{name}} ({{role}}) is open for {{minutes}} min more. It is shown at the machine itself, and where it was made. A new code takes its place.",
      "closeCode": "Close this code",
      "guessed": "The code was closed after 100 wrong tries. Somebody in your network may be guessing. Make a new one.",
      "wrongTries_one": "{{number}} wrong try so far.",
      "wrongTries_other": "{{number}} wrong tries so far."
    },
    "paired": {
      "title": "Who has access",
      "none": "Nobody has access yet.",
      "never": "not used yet",
      "last": "last here {{at}}, from {{address}}",
      "ends": "ends {{at}}",
      "this": "this one",
      "revoke": "Shut out",
      "revokeSure": "Shut out now?",
      "revokeOf": "Shut out {{name}}"
    },
    "signature": {
      "title": "By an owner’s key",
      "text": "A program that has the key of an owner can come in without a code: it signs what this node asks it, and is an owner here for twelve hours, without your other keys. Allow no key but your own: each device says itself who its owner is.",
      "noName": "Owner without a name",
      "cancel": "Cancel",
      "close": "Close",
      "stop": "Stop letting it in",
      "stopText": "Who came in by it loses access at once:",
      "stopTitle": "Stop letting this key in?"
    },
    "kind": {
      "browser": "Browser",
      "app": "App",
      "key": "By an owner’s key"
    },
    "pair": {
      "title": "Let this browser in",
      "text": "Type the code that Wellhouse shows under “Phones and people”.",
      "textOfLink": "The code is here already. Go on to see the readings on this device.",
      "code": "Code",
      "open": "Go on",
      "kept": "This browser keeps its access until the owner ends it. Whoever uses it sees the readings.",
      "refused": "This browser no longer has access. Ask for a new code.",
      "wrong_code": "This code is wrong or has expired. Ask for a new one.",
      "wait_one": "Wait {{count}} second before the next try.",
      "wait_other": "Wait {{count}} seconds before the next try.",
      "disconnected": "The node does not answer.",
      "failed": "That did not work. Try again.",
      "codeText": "Eight letters and digits, such as 7KM4-XWPA. Case, spaces and dashes make no difference.",
      "badLength_one": "A code has 8 letters and digits; this one has {{count}}.",
      "badLength_other": "A code has 8 letters and digits; this one has {{count}}.",
      "badCharacters": "No code has these characters: {{characters}}. Compare it with the code that Wellhouse shows.",
      "ended": "The owner ended the access of this browser on {{at}}. Ask the owner for a new code.",
      "certificate": {
        "title": "Why the browser warns",
        "why": "This node signs its certificate itself. The browser does not know it, and warns that the connection is not private. The connection is encrypted all the same.",
        "how": "To check that this is the right node, open the certificate in the browser (tap the warning or the icon beside the address, then “Certificate”), choose its authority, and compare its SHA-256 fingerprint.",
        "ofLink": "Your link says that it has to be:",
        "elsewhere": "The owner sees the right one beside the code, under “Phones and people”.",
        "differs": "If it differs, type no code, close this page and tell the owner."
      }
    }
  };
  export: {
    "title": "Export all data",
    "lead": "All devices (hidden ones too), their readings and your notes, in open formats that outlive this program. For the readings of one device, as a download, open its page.",
    "what": "Readings",
    "all": "All of them",
    "range": "Measured in a time range",
    "rangeText": "Readings of devices without a clock have no time of measurement: only an export of everything has them.",
    "badRange": "Enter two times, the earlier one first.",
    "format": "Format",
    "formats": {
      "csv": "CSV",
      "ndjson": "NDJSON",
      "parquet": "Parquet",
      "sqlite": "SQLite"
    },
    "formatText": {
      "csv": "For spreadsheets: one file per device.",
      "ndjson": "For programs: one file per device, one JSON object per line.",
      "parquet": "For analysis (Python, R, DuckDB): one file per device, the smallest.",
      "sqlite": "Copies of the stores, always with all readings. By far the fastest."
    },
    "values": "Values are as the devices sent them, without conversion. Sealed values stay sealed, because the node has no keys. A device’s own page exports opened values.",
    "folder": "Folder on the node’s machine",
    "folderText": "The export becomes a new folder in it. The folder must exist, be outside the data folder, and be writable for the node.",
    "folderNeeded": "Name a folder.",
    "size_one": "{{number}} reading of {{devices}}, about {{size}}",
    "size_other": "{{number}} readings of {{devices}}, about {{size}}",
    "sizeUnknown": "Counting the readings…",
    "devices_one": "{{number}} device",
    "devices_other": "{{number}} devices",
    "start": "Export",
    "working": "The export is under way",
    "progress": "Progress of the export",
    "counting": "Counting the readings…",
    "done_one": "{{done}} of {{total}} reading",
    "done_other": "{{done}} of {{total}} readings",
    "copying": "Copying {{file}}… A copy can’t be stopped half-way; it takes some seconds per 100 MB.",
    "goOn": "You can leave this page: it goes on until it is done or the node stops.",
    "cancel": "Stop the export",
    "finished": "The export is complete",
    "finishedCount_one": "{{number}} reading in {{files}}, {{size}}, at {{time}}:",
    "finishedCount_other": "{{number}} readings in {{files}}, {{size}}, at {{time}}:",
    "finishedCopy": "{{files}}, {{size}}, at {{time}}:",
    "files_one": "{{number}} file",
    "files_other": "{{number}} files",
    "private": "These files are not encrypted: whoever reads them has your readings.",
    "failed": "Nothing was exported",
    "stopped": "The export was stopped",
    "nothingLeft": "The unfinished files were removed.",
    "nothingBegun": "Nothing was written.",
    "fault": {
      "no_folder": "The folder is missing or is in the data folder: connect its disk, or choose an existing folder.",
      "no_room": "The disk does not have enough free space.",
      "refused": "The system refused it.",
      "busy": "Another export is under way.",
      "cancelled": "The node was stopped or restarted."
    }
  };
  join: {
    "where": {
      "backups": "Then plan backups: a copy of the readings, and of this node, on another disk",
      "question": "Where do your devices live?",
      "network": "On this network",
      "networkText": "At home, on the same Wi-Fi or cable as this machine. Private, in about two minutes.",
      "elsewhere": "At another place",
      "elsewhereText": "In another house or field: through a VPN, or publicly.",
      "demo": "Just show me",
      "restore": "Or restore this node from a backup"
    },
    "step": {
      "done": "done",
      "address": "Open a gate for them",
      "tell": "Tell the device",
      "registered": "It registers",
      "reading": "Its first reading arrives"
    },
    "reading": {
      "wait": "Nothing yet. A device sends about once a minute.",
      "came": "{{name}} sends",
      "waitFor": "{{name}} is registered; its first reading has not arrived yet"
    },
    "firewall": {
      "title": "This machine’s firewall must let devices in:"
    },
    "elsewhere": {
      "vpn": "Private: through a VPN",
      "vpnText": "If WireGuard or Tailscale joins both places, this machine has an address in the VPN. Open the gate at that address, and let a router or a small computer there carry the devices’ traffic into the VPN.",
      "vpnOpen": "Open a gate",
      "qr": "QR code of {{url}}"
    },
    "other": "Other ways: an ssh tunnel",
    "tunnel": {
      "exposes": "The tunnel opens the whole local endpoint, reading included, to everybody on the device’s network. Nobody can read through the gate."
    },
    "moved": {
      "title": "The gate has moved",
      "text": "Devices that use {{before}} can no longer reach it. Change the address in each of them, on its own page or with “Find devices”:",
      "done": "I have changed them all"
    },
    "lost": {
      "text": "Give this machine {{address}} again (as a fixed address in the router), or choose another address above and enter it in every device."
    },
    "find": {
      "title": "Or let Wellhouse enter it",
      "text": "Wellhouse can write the address into the device’s own page. It asks devices only when you start it, and only in private networks.",
      "find": "Find devices",
      "address": "Address of the device’s page",
      "ask": "Ask it",
      "none": "No known device answers by its name on this network. Enter the address of its own page.",
      "found": "Found devices"
    },
    "state": {
      "not_found": "It was not found on this network.",
      "not_private": "Not an address of a private network, such as 192.168.1.9.",
      "no_answer": "No answer from there within a second.",
      "not_a_device": "Something else answers there.",
      "other_device": "Another device answers there.",
      "changed": "The device has other servers now. Nothing was changed: check them and try again.",
      "no_name": "The device gives no readable name. Writing to it would erase its name, so nothing is changed: enter the server on its own page.",
      "not_taken": "The device answers but did not accept these servers: its list may be full. Remove an unused one on its own page, find the device again, and try again."
    },
    "point": {
      "point": "Point it here",
      "of": "Point it here: {{name}}",
      "already": "Points here",
      "title": "Point {{name}} here?",
      "text": "Its page has no password and accepts name and servers only as a whole: Wellhouse writes back the present ones, with this node added.",
      "removes": "Removed from it, since this gate is no longer there: {{list}}.",
      "removed": "is removed",
      "before": "Now",
      "after": "Then",
      "name": "Name",
      "local": "Local servers",
      "external": "External servers",
      "none": "none",
      "joins": "Joining opens until one device has joined.",
      "confirm": "Write it to the device",
      "again": "Try again",
      "full": "Its list of local servers is probably full ({{number}} entries). Remove one on its own page first, then find the device again here.",
      "told": "Settings sent",
      "unconfirmed": "It has not answered since the change. It may be restarting.",
      "registered": "Registered",
      "reading": "First reading",
      "check": "If no reading arrives: is joining open, does the firewall let port {{port}} in, and is the device on the same network?"
    },
    "says": {
      "title": "What the device reports, unsigned",
      "asking": "Asking it …",
      "at": "Its page",
      "battery": "Battery",
      "noBattery": "none, or not reported",
      "sensors": "Sensors",
      "sensor": {
        "dht": "air",
        "tds": "EC",
        "laser": "distance"
      },
      "works": "{{sensor}} works",
      "fails": "{{sensor}} has failed",
      "pending": "Waiting to be sent",
      "failing": "Failed posts in a row",
      "uptime": "Running for",
      "servers": "Servers",
      "online": "confirms",
      "offline": "does not confirm",
      "unknownOnline": "does not say",
      "byName": "Its name on this network, {{name}}, was not found. Its own page shows its address:"
    },
    "noAddress": "This machine has no private IPv4 address now. Connect it to your network, or enter the address that it will have.",
    "over": {
      "title": "Refused for sending too much",
      "since": "the first",
      "refused_one": "{{number}} refused request",
      "refused_other": "{{number}} refused requests",
      "rate": {
        "list": "These devices send more than the gate takes from one device",
        "text": "They keep their readings and send them later. No other device is affected. The setting GATE_DEVICE_RATE is the limit."
      },
      "disk": {
        "list": "The disk is nearly full, and these devices sent more than ten times as much as the others",
        "text": "They keep their readings and send them later. No other device is affected. They are taken again once the disk has room: delete old readings, or forget a device that is not yours."
      },
      "share": {
        "list": "The public store is nearly full, and these devices are not marked as yours",
        "text": "The last fifth of the public store is kept for your devices, which go on. The setting PUBLIC_MAX_BYTES is the limit. If a device is yours, say so on its page."
      },
      "list": {
        "list": "The public store takes no more devices, and these wanted to register",
        "text": "PUBLIC_MAX_DEVICES is reached, or the list of all devices would be longer than 16 MiB. Devices that are registered go on. Forget devices that are not yours, or raise the setting."
      }
    }
  };
  journal: {
    "title": "Notes",
    "unknown": "The notes can’t be shown: the node is not reachable.",
    "which": "Which notes are listed",
    "of": {
      "range": "In the charts’ range",
      "all": "All"
    },
    "add": "Add a note",
    "export": "As a CSV file",
    "none": "No notes yet.",
    "noneInRange": "No notes in the range of the charts.",
    "cut": "Older notes are not shown here.",
    "allDevices": "All devices",
    "anotherDevice": "Another device",
    "numbered": "Number {{number}} in the charts",
    "change": "Change the note of {{time}}",
    "aboutNone": "No notes about this device yet.",
    "aboutEdit": "Write about the device",
    "dialog": {
      "add": "Add a note",
      "change": "Change the note",
      "close": "Close",
      "cancel": "Cancel",
      "save": "Save",
      "text": "What happened",
      "example": "Changed nutrients",
      "textMissing": "Write what happened",
      "time": "When, local time",
      "timeMissing": "A day and a time",
      "of": "Of",
      "failed": "The note was not saved.",
      "delete": "Delete the note",
      "deleteSure": "Yes, delete it for good"
    }
  };
  keyring: {
    "absent": "You have no keystore yet. Once it has your keys, the sealed values of this device open here.",
    "common": {
      "cancel": "Cancel",
      "undo": "Undo"
    },
    "counts": {
      "all": "Count all {{shown}}",
      "failed_one": "fails on {{shown}}",
      "failed_other": "fails on {{shown}}",
      "none": "none",
      "ofAll_one": "Counted over the only reading.",
      "ofAll_other": "Counted over all {{shown}} readings.",
      "ofLatest_one": "Counted over the latest reading.",
      "ofLatest_other": "Counted over the latest {{shown}} readings.",
      "opened_one": "opens {{shown}}",
      "opened_other": "opens {{shown}}",
      "progress": "Progress of counting",
      "reasons": "By fields: {{reasons}}",
      "running_one": "Counting: {{done}} of {{total}} reading",
      "running_other": "Counting: {{done}} of {{total}} readings",
      "untried_one": "{{shown}} not tried",
      "untried_other": "{{shown}} not tried"
    },
    "done": {
      "imported_one": "{{shown}} key imported.",
      "imported_other": "{{shown}} keys imported.",
      "removed": "The key for version {{version}} was removed.",
      "undone": "Undone."
    },
    "elsewhere": "Your keystore can’t be opened at the moment.",
    "empty": "This device has sent no sealed values yet, and you have no key for it.",
    "fault": {
      "no_key": "no key",
      "nonce_reused": "a nonce seen before (a copy)",
      "not_finite": "not a finite number",
      "not_four_bytes": "not 4 bytes long",
      "wrong_key": "wrong key"
    },
    "give": {
      "copy": "Copy the key",
      "new": "Version {{version}} is in the keystore, and older versions stay. The device does not know it yet: it uses the old one until you enter the new key there.",
      "qr": "QR code with the key for version {{version}}",
      "secret": "Whoever sees this key can open every value that is sealed with it.",
      "text": "Enter it where the device's keys are set up, as text or by QR code. From then on the device seals with this version.",
      "title": "Key for version {{version}}",
      "ask": "Enter your passphrase to see the key: whoever has it can open the values that the device seals.",
      "show": "Show the key"
    },
    "import": {
      "conflict_one": "One of these versions already has another key, which was not changed.",
      "conflict_other": "{{count}} of these versions already have other keys, which were not changed.",
      "error": "Line or item {{position}}: {{problem}}",
      "file": "From a file",
      "keys": "Keys",
      "open": "Import keys",
      "problem": {
        "columns": "expected: device id, key version and key",
        "device": "the device id is not 64 hex digits",
        "key": "the key is not 64 hex digits",
        "twice": "this device and version are in the list twice, with different keys",
        "version": "the key version is not a whole number from 0 to 4294967295"
      },
      "refused": "Nothing was imported",
      "replace_one": "Replace it",
      "replace_other": "Replace them",
      "take": "Import",
      "text": "One key as 64 hex digits, or a list: CSV lines “device id, key version, key”, or JSON objects with deviceId, keyVersion and key.",
      "title": "Import field keys",
      "unreadable": "This file is too large, or can’t be read.",
      "version": "Version of a single key"
    },
    "locked": "Your keys are locked: sealed values stay sealed until you unlock them.",
    "opening": {
      "cancel": "Cancel",
      "drawn_one": "{{shown}} value here came sealed and was opened with your keys",
      "drawn_other": "{{shown}} values here came sealed and were opened with your keys",
      "failed": "The sealed values could not be opened.",
      "notDrawn_one": "{{shown}} value does not open: {{reasons}}",
      "notDrawn_other": "{{shown}} values do not open: {{reasons}}",
      "progress": "Progress of opening",
      "running": "Opening sealed values: {{done}} of {{total}} readings",
      "start": "Open them",
      "stopped_one": "{{shown}} reading with sealed values was not opened.",
      "stopped_other": "{{shown}} readings with sealed values were not opened.",
      "waiting_one": "{{shown}} reading with sealed values can be opened.",
      "waiting_other": "{{shown}} readings with sealed values can be opened; so many take a while."
    },
    "owner": {
      "copy": "Copy the public key: {{name}}",
      "derivation": {
        "firmware": "firmware derivation",
        "seed": "the seed itself",
        "standard": "standard derivation"
      },
      "device": "This device",
      "match": "The owner key of this device comes from {{name}}, {{derivation}}. Field keys that are not kept below are derived from it.",
      "noSecrets": "You keep no phrase or seed, so no field key can be derived. Enter the phrase of this device, or import its field keys.",
      "none": "None of your phrases and seeds gives the owner key that this device registered with, so no field key can be derived for it. Enter its phrase, or import its field keys.",
      "ofSecret": "{{name}}, {{derivation}}",
      "unnamed": {
        "phrase": "a phrase without a name",
        "seed": "a seed without a name"
      }
    },
    "rotate": "New key version",
    "source": {
      "derived": "derived from an owner key",
      "derivedFrom": "derived from {{name}}, {{derivation}}",
      "generated": "made here at random",
      "imported": "imported",
      "since": "kept since {{date}}"
    },
    "table": {
      "actions": "Actions",
      "addKey": "Add the key",
      "caption": "Key versions of this device",
      "fingerprint": "Fingerprint: the first digits of the SHA-256 of the key",
      "give": "Give to the device",
      "giveVersion": "Give to the device: version {{version}}",
      "key": "Key",
      "noKey": "no key",
      "readings": "Readings",
      "remove": "Remove",
      "removeVersion": "Remove the key for version {{version}}",
      "version": "Version"
    },
    "title": "Keys",
    "toKeys": "Go to your keys",
    "unlock": "Unlock your keys",
    "insecure": "This page came over an unprotected network, so it does not use your keys."
  };
  keys: {
    "title": "Keys",
    "common": {
      "cancel": "Cancel",
      "close": "Close",
      "done": "Done",
      "save": "Save",
      "undo": "Undo"
    },
    "start": {
      "title": "Choose a passphrase",
      "text": "A device can seal its values: whoever stores them sees only that a value exists. Your key opens them in this page and nowhere else.",
      "passphrase": "Your keys are kept in one encrypted file, the keystore. This passphrase opens it.",
      "create": "Make the keystore",
      "haveTitle": "You have a keystore already",
      "haveText": "An exported keystore opens with the passphrase it had when it was exported.",
      "howTitle": "How it works",
      "how": {
        "phrase": "A recovery phrase, 12 words: your owner key is derived from it. Write it on paper. Whoever has the words has the key.",
        "keystore": "The keystore: your phrases and keys, encrypted with the passphrase before they leave this page.",
        "node": "The node keeps the file and can't read it. The passphrase never leaves this page.",
        "lost": "Nobody can reset a lost passphrase. Your phrases on paper give the keys back."
      }
    },
    "unlock": {
      "title": "Unlock your keys",
      "text": "Sealed values open in place once the keys are unlocked.",
      "passphrase": "Passphrase",
      "unlock": "Unlock",
      "withSystem": "Unlock with this computer",
      "working": "Checking the passphrase"
    },
    "locked": {
      "text": "The keystore is locked. Sealed values stay sealed until you unlock it.",
      "by": {
        "command": "You locked the keys.",
        "idle": "The keys were locked after a time without use.",
        "suspend": "The keys were locked because this computer slept or its screen was locked.",
        "changed_elsewhere": "The passphrase was changed in another window. Unlock with the new one.",
        "fault": "The part of this page that held the keys failed. Nothing is lost; unlock them again."
      },
      "otherTitle": "Without the passphrase",
      "forgot": "The passphrase is lost",
      "forgotText": "Nobody can reset it. If you have your phrases on paper, start a new keystore and enter them; field keys that you imported have to be imported again. The old file stays in the data folder as keystore.wellhouse.replaced-<time>, in case the passphrase comes back to you.",
      "sure": "I have my phrases on paper, or can do without what is in the old keystore",
      "replace": "Start a new keystore"
    },
    "missing": {
      "title": "The keystore file is missing",
      "text": "This node had a keystore, but its file is gone. The file from before the last change is still there and usually opens, without that change. If you start a new keystore, that file stays in the data folder under another name."
    },
    "damaged": {
      "title": "The keystore file is damaged",
      "text": "The contents of the file have changed, through a disk fault or another program. Your passphrase is not the cause. Nothing overwrites the file; when you restore, it is kept beside the new one.",
      "waysTitle": "What you can do",
      "previousText": "The file from before the last change is still there and usually opens, without that change.",
      "noPrevious": "There is no earlier file on this node. An export that you made opens here.",
      "openPrevious": "Open the previous file",
      "replace": "Neither opens",
      "replaceText": "Start a new keystore and enter your phrases from paper. The damaged file is moved aside, not deleted."
    },
    "newer": {
      "title": "A newer Wellhouse wrote this keystore",
      "text": "This version can't read it and leaves it untouched. Update this node, then unlock it."
    },
    "problem": {
      "missing": {
        "title": "The keystore file is missing",
        "text": "The file was removed while the keys were open here. This page still holds its contents: save them before you lock the keys or leave this page. Your last change was not saved.",
        "save": "Save it as a new file"
      },
      "damaged": {
        "title": "The keystore file is damaged",
        "text": "The file was damaged while the keys were open here. This page still holds its contents: save them before you lock the keys or leave this page. The damaged file is moved aside, not deleted. Your last change was not saved.",
        "save": "Move the damaged file aside and save"
      },
      "newer_version": {
        "title": "A newer Wellhouse wrote the keystore file",
        "text": "A newer version wrote the file while the keys were open here. It is left untouched, and nothing can be changed here. Update this node, then unlock it."
      }
    },
    "passphrase": {
      "new": "New passphrase",
      "newText": "Use five or more unrelated words: they are strong and easy to type. Nobody can recover the passphrase for you.",
      "again": "The same once more",
      "show": "Show what is typed",
      "hint": "At least 8 characters",
      "differs": "The passphrases differ",
      "strength": {
        "short": "At least 8 characters",
        "weak": "Too weak: easily guessed",
        "fair": "Fair",
        "strong": "Strong",
        "unknown": "Checking"
      },
      "changeOpen": "Change the passphrase",
      "changeTitle": "Change the passphrase",
      "changeText": "The keystore is encrypted again, with a new key. Earlier exports still open with the old passphrase, and so does the file from before, until the next change.",
      "current": "Current passphrase",
      "change": "Change"
    },
    "secrets": {
      "title": "Phrases and seeds",
      "create": "New phrase",
      "bring": "Enter an existing one",
      "none": "No phrases yet. Make a new phrase for devices that you set up, or enter the phrase that a device made when it was set up.",
      "removed": "“{{label}}” was removed.",
      "removedUnnamed": "It was removed."
    },
    "secret": {
      "kind": {
        "phrase": "Recovery phrase",
        "seed": "Seed in hex"
      },
      "unnamed": {
        "phrase": "Phrase without a name",
        "seed": "Seed without a name"
      },
      "label": "Name",
      "labelText": "Only you see it. For example, where the device is.",
      "rename": "Rename",
      "words_one": "{{count}} word, {{language}}",
      "words_other": "{{count}} words, {{language}}",
      "since": "{{what}} · kept since {{date}}",
      "noDevice_one": "No device on this node belongs to this public key:",
      "noDevice_other": "No device on this node belongs to these public keys:",
      "devices": "Devices that belong to this key",
      "copyKey": "Copy the public key",
      "drill": "Restore drill",
      "reveal": "Show again",
      "remove": "Remove"
    },
    "derivation": {
      "standard": "Standard",
      "standardText": "The BIP-39 seed of the phrase, as wallets and this node derive it",
      "firmware": "Firmware",
      "firmwareText": "The SHA-256 of the phrase, as field devices derive it",
      "seed": "Seed",
      "seedText": "The seed itself"
    },
    "unmatched": {
      "title": "Devices of another key",
      "text_one": "The owner key that these devices registered is not your public key above. They belong to another phrase, which may be on another sheet of paper.",
      "text_other": "The owner key that these devices registered is none of the {{count}} public keys above. They belong to another phrase, which may be on another sheet of paper.",
      "textNone": "These devices registered an owner key. Enter the phrase that was made when the device was set up: the key is derived from it.",
      "owner": "Owner key"
    },
    "create": {
      "title": "New recovery phrase",
      "text": "Your owner key is derived from these words. Give them to a device when you set it up, and its values are sealed to you.",
      "language": "Language of the words",
      "languageText": "Field devices accept all five.",
      "length": "Length",
      "words_one": "{{count}} word",
      "words_other": "{{count}} words",
      "devicesTake12": "Field devices take 12 words. Choose 24 only if no device will get this phrase.",
      "create": "Make the phrase",
      "showTitle": "Write these words down",
      "showText": "Write them on paper now, in this order. Whoever has the words can open everything that is sealed to you. Without the words and the keystore, nobody ever can.",
      "discard": "Discard",
      "written": "I wrote them down",
      "confirmTitle": "Three of your words",
      "confirmText": "Read them from your paper.",
      "wordNumber": "Word {{number}}",
      "wrongWord": "This is not the word at this place",
      "lookAgain": "Look again",
      "keep": "Keep the phrase"
    },
    "sheet": {
      "print": "Print a sheet",
      "showQr": "Show as QR code",
      "hideQr": "Hide the QR code",
      "qrLabel": "QR code of the recovery phrase",
      "title": "Wellhouse recovery phrase",
      "keep": "Whoever reads these words can open every value sealed to their owner. Keep two copies in two places. No photo, no mail, no cloud.",
      "notes": "Where the other copy is:"
    },
    "bring": {
      "title": "Enter a phrase or seed",
      "text": "The phrase that a device made when it was set up, or one that you kept from before.",
      "kind": "What you have",
      "keep": "Keep it"
    },
    "phrase": {
      "label": "Your words",
      "text": "Case, accents, spaces and numbering do not matter.",
      "language": "Language",
      "recognise": "Recognised from the words",
      "readAs": "Read as",
      "wrong": "Word {{number}}, “{{word}}”, is not in the {{language}} list.",
      "wrongAnywhere": "Word {{number}}, “{{word}}”, is in no list.",
      "right": "{{count}} words, {{language}}. The checksum is right.",
      "checksum": "The checksum is wrong: one word may be wrong, or two are swapped. Devices accept such phrases, so you can keep it. Check your paper first: a different phrase is a different key.",
      "length_one": "{{count}} word so far: a phrase has 12, 15, 18, 21 or 24.",
      "length_other": "{{count}} words: a phrase has 12, 15, 18, 21 or 24.",
      "ambiguous": "All these words are in several lists: {{languages}}. Wellhouse uses the first unless you choose another.",
      "not12": "Field devices accept only 12 words."
    },
    "seed": {
      "label": "Seed",
      "text_one": "64 hex digits; {{count}} so far.",
      "text_other": "64 hex digits; {{count}} so far.",
      "notHex": "Only the digits 0 to 9 and a to f",
      "long_one": "{{count}} digits are too many",
      "long_other": "{{count}} digits are too many"
    },
    "reveal": {
      "title": "Show it again",
      "text": "Enter your passphrase to confirm that it is you.",
      "show": "Show",
      "caution": "Whoever sees this can open everything that is sealed to you. Make sure that nobody is watching.",
      "copySeed": "Copy the seed"
    },
    "drill": {
      "title": "Restore drill",
      "text": "Type the phrase from your paper, not from memory or a screen. Wellhouse checks that it gives the stored keys.",
      "check": "Check",
      "same": "Your paper is right",
      "sameText": "What you typed gives the same public keys as the stored phrase.",
      "other": "This is not the stored phrase",
      "otherText": "What you typed gives other public keys than the stored phrase. Compare your paper with it, word by word, and correct the paper.",
      "another": "This is another of your phrases",
      "anotherText": "You entered “{{entered}}” (owner key {{enteredKey}}). The drill asks for “{{asked}}” (owner key {{askedKey}}): use its paper.",
      "noDevices": "No device on this node belongs to it.",
      "nothingSealed": "belongs to it; nothing sealed to try",
      "opened_one": "opened {{opened}} of {{count}} newest sealed value",
      "opened_other": "opened {{opened}} of {{count}} newest sealed values",
      "rest": "Values that did not open are sealed with keys that this phrase does not give: imported keys, or those of another owner."
    },
    "restore": {
      "open": "Restore from a file",
      "title": "Restore a keystore",
      "text": "An exported keystore replaces the one on this node.",
      "previousTitle": "Open the keystore before",
      "previousText": "The file before the last change becomes the keystore again. A damaged one is kept beside it.",
      "file": "Keystore file",
      "choose": "Choose a file",
      "passphrase": "Passphrase of that file",
      "replaces": "The keystore on this node stays in the data folder as keystore.wellhouse.replaced-<time>.",
      "restore": "Restore"
    },
    "lock": {
      "title": "Locking",
      "text": "When it locks, this page forgets the keys and every value that they opened.",
      "after": "Lock automatically",
      "never": "Never",
      "minutes_one": "After {{count}} idle minute",
      "minutes_other": "After {{count}} idle minutes",
      "now": "Lock now",
      "remember": "Remember on this computer",
      "rememberText": "The system keeps the keystore's key. Whoever can use your account here can then open the keystore.",
      "cannotRemember": "Not available: this system has no safe key storage. On Linux that is a keyring such as GNOME Keyring or KWallet; start one, then Wellhouse."
    },
    "keystore": {
      "title": "Keystore",
      "text": "Export it after you import keys, and try your exports now and then. An export opens with the passphrase it had when it was made.",
      "where": "keystore.wellhouse in {{folder}}",
      "export": "Export"
    },
    "fault": {
      "locked": "The keys are locked.",
      "changed": "The keystore was changed in another window and was read again. Check it and repeat your change.",
      "wrong_passphrase": "Wrong passphrase. The file is not damaged.",
      "wrong_key": "This computer can no longer open the keystore. Use the passphrase.",
      "damaged": "This file is damaged or is not a keystore. No passphrase opens it.",
      "newer_version": "This file was written by a newer Wellhouse. Update this node to open it.",
      "file_missing": "The keystore file is missing. Nothing was saved. This page still holds its contents: save them on the Keys page.",
      "file_damaged": "The keystore file on this node is damaged. Nothing was saved, and it was not overwritten. This page still holds its contents: save them on the Keys page.",
      "file_newer_version": "A newer Wellhouse has written the keystore file on this node since. It was not overwritten. Update this node.",
      "unusable_secret": "No key can be derived from this.",
      "already_kept": "The keystore already has this one.",
      "gone": "It is no longer in the keystore.",
      "too_large": "The keystore is full.",
      "no_version_left": "A reading or a key of this device already has the highest possible version.",
      "not_remembered": "The system's key storage refused the key. Nothing was changed.",
      "internal_error": "Something went wrong in this page. You can safely try again.",
      "insecure": "This page came over an unprotected network, so it uses no keys."
    },
    "insecure": {
      "title": "No keys on this page",
      "text": "This page came over an unprotected network (plain HTTP). Others on the network can read and change it, and would get your passphrase and your keys. So Wellhouse does not ask for them here, and sealed values stay sealed.",
      "waysTitle": "What to do",
      "ways": {
        "here": "On the computer that the node runs on, open its link there, or use the desktop app.",
        "forward": "From another computer, forward the node's port through SSH and open {{address}} there, with the token of your link:",
        "https": "Or put your own HTTPS proxy in front of the node, and open its https:// address."
      },
      "rest": "Plain values, charts and settings work here as usual.",
      "copy": "Copy the command"
    },
    "remove": {
      "title": "Remove it",
      "text": "Values that only this key opens stay sealed from now on. The encrypted keystore keeps the key for thirty days, so that you can put it back. Enter your passphrase to confirm that it is you.",
      "remove": "Remove"
    },
    "removed": {
      "title": "Removed",
      "until": "Can be put back until {{date}}",
      "restore": "Put back",
      "restoreOf": "Put back {{name}}"
    },
    "backup": {
      "title": "Keys without a copy",
      "secrets_one": "One phrase or seed was neither exported nor tried from paper.",
      "secrets_other": "{{count}} phrases or seeds were neither exported nor tried from paper.",
      "fieldKeys_one": "One field key was not exported.",
      "fieldKeys_other": "{{count}} field keys were not exported.",
      "text": "Keys without a copy are lost if this keystore is lost: export it to another disk, or take the restore drill of each phrase."
    }
  };
  nodes: {
    "add": {
      "add": "Add this node",
      "again": "Pair again",
      "at": "Address",
      "cancel": "Cancel",
      "compare": "Compare the fingerprint with the one that is shown beside the link at that node.",
      "done": "{{name}} was added. Its devices are in the list.",
      "how": "At the other node open “Phones and people”, choose “Add a phone or person” with the role of an owner, and copy the link. A link works once, for ten minutes.",
      "known": "{{name}} is already in your list. Pairing again replaces its certificate and its token.",
      "link": "Pairing link",
      "look": "Check the link",
      "name": "Name",
      "nameText": "Shown here beside its devices."
    },
    "away": "Wellhouse tries again every few seconds. Until then you see the last known state.",
    "fingerprint": "Fingerprint",
    "intro": "Devices of other nodes appear in the same list as those of this one, each with the name of its node. Their sealed readings are opened here with your keys: no other node ever receives a key.",
    "keep": "Save",
    "problem": {
      "certificate": "The certificate at this address is not the one that the link names. Nothing was sent. If the node was set up again since then, make a new link. If not, somebody may be intercepting the connection.",
      "code": "The code of this link is wrong, used or older than ten minutes. Make a new link at the node.",
      "itself": "This link leads to this node itself.",
      "known": "This node is already in the list.",
      "link": "This is not a pairing link. A pairing link begins with https:// and contains “#/pair?code=”.",
      "not_a_door": "The program at this address is not the door of a Wellhouse, or its version is not compatible with this one.",
      "slow_down": "Too many wrong codes came from here. Try again in a minute.",
      "time": "The certificate is not valid on the date of this machine. Check the date on both machines.",
      "full": "The list of nodes is full.",
      "unreachable": "There is no answer from this address. Is the node on, is its door open, and are you in its network or VPN?"
    },
    "refused": {
      "certificate": "The certificate at this address is not the one that was saved when you added the node. No token was sent. If the node was set up again, or lost its data folder, pair again with a new link and compare the fingerprint at the node itself. If not, somebody may be intercepting the connection: do not pair again.",
      "other_node": "Another node answers with this certificate. If you moved the door's files to another node on purpose, add that node by its own link.",
      "time": "Its certificate is not valid on the date of this machine. Correct the date here or there; a node renews its certificate by itself.",
      "token": "The node no longer accepts this pairing: somebody revoked it there. If that was not intended, pair again with a new link.",
      "not_understood": "The certificate is right, but this version does not understand the answers of that node. Wellhouse there is {{there}}, here {{here}}: update the older one. Wellhouse tries again every minute."
    },
    "remove": "Remove",
    "removeSure": "Remove it",
    "removeText": "This node forgets its token and its last known state. Revoke the pairing at that node too.",
    "rename": "Rename",
    "role": {
      "owner": "owner: sees and changes everything",
      "title": "Your role there",
      "viewer": "viewer: sees plain readings"
    },
    "misfit": "This version does not understand some answers of that node and does not show them. Wellhouse there is {{there}}, here {{here}}: update the older one.",
    "version": {
      "title": "Version",
      "unknown": "of an unknown version",
      "both": "{{there}} (this node: {{here}})"
    }
  };
  security: {
    "title": "Security",
    "lead": "Who can reach this node, who was let in, and what was refused.",
    "change": "Change",
    "changeOf": "Change: {{name}}",
    "since": "since {{time}}",
    "joiningOpen": "joining is open",
    "codeOpen": "a pairing code is open",
    "newest": "Latest actions",
    "allActions": "All actions",
    "listeners": {
      "title": "What listens"
    },
    "listener": {
      "local": "Local endpoint",
      "public": "Public endpoint",
      "gate": "Gate",
      "door": "Door"
    },
    "state": {
      "off": "Off",
      "listening": "On at {{address}}",
      "waiting": "Should be on at {{address}}, and is tried again"
    },
    "reach": {
      "local": "programs on this machine",
      "public": "anybody: devices and the public store",
      "gate": "devices on your network, no reading",
      "door": "paired phones and people"
    },
    "role": {
      "owner": "Owner",
      "viewer": "Viewer"
    },
    "kind": {
      "browser": "browser",
      "app": "app",
      "key": "owner's key"
    },
    "people": {
      "title": "Who is let in",
      "manage": "Pair or revoke",
      "last": "last here {{time}}, from {{address}}",
      "never": "not here yet",
      "none": "Nobody is paired",
      "noneText": "Only this machine opens the view.",
      "keys_one": "{{count}} owner's key opens the door",
      "keys_other": "{{count}} owners' keys open the door",
      "keysText": "Whoever signs with such a key is let in for twelve hours.",
      "link": "Secret link of this machine, created {{time}}",
      "linkText": "Opens everything. To replace it, start the node once with --new-ui-token."
    },
    "refused": {
      "title": "Refused in the last 24 hours",
      "last": "last {{time}}",
      "none": "Nothing was refused",
      "noneText": "Counted since the node started.",
      "overBudget_one": "{{count}} device sends too much",
      "overBudget_other": "{{count}} devices send too much",
      "overBudgetText": "Only these devices are slowed down.",
      "which": "Which ones"
    },
    "cause": {
      "wrong_code": "Wrong pairing code",
      "wrong_key": "Wrong signature, or a key that is not allowed",
      "unauthorized": "Without the token that is needed",
      "host_not_allowed": "Addressed to a foreign name",
      "origin_not_allowed": "From another web page",
      "forwarded_request": "Forwarded by a proxy",
      "rate_limited": "Too many requests",
      "joining_closed": "New device while joining was closed",
      "unknown_device": "Reading of an unknown device",
      "invalid_signature": "Reading with a wrong signature"
    },
    "keys": {
      "title": "Token and keys",
      "tokenOn": "Read token is on",
      "tokenOnText": "Programs on this machine need it to read at the local endpoint.",
      "tokenOff": "Read token is off",
      "tokenOffText": "Every program on this machine can read at the local endpoint. LOCAL_READ_TOKEN sets one.",
      "changed": "Keys last changed {{time}}",
      "none": "No keys are kept here",
      "text": "The node keeps them encrypted and can't open them.",
      "open": "Keys"
    },
    "warning": {
      "exposed": "Other machines reach the local endpoint at {{addresses}}",
      "exposedText": "Whoever reaches it can read every private reading. Turn off the proxy, forwarding or VPN client that leads there.",
      "carried": "Something carries requests to the local endpoint, as {{hosts}}",
      "carriedText": "If that is your tunnel for devices, all is well as long as only they reach it. If not, find and close it: whoever reaches it can read every private reading.",
      "token": "A read token (LOCAL_READ_TOKEN) keeps strangers from reading.",
      "refused": "Requests to {{hosts}} are refused",
      "refusedText": "That is a public address. If it is your own tunnel, list the address under the further host names.",
      "toSettings": "Settings",
      "log": "The log of actions was changed or cut",
      "logText": "Somebody with access to the files of this machine did that, or a disk fault."
    }
  };
  settings: {
    "cancel": "Cancel",
    "close": "Close",
    "closing": {
      "ask": "Asks the first time",
      "quit": "Quits Wellhouse",
      "tray": "Keeps running in the tray"
    },
    "desktopOnly": "Only in the desktop app",
    "diagnostics": {
      "make": "Show…",
      "name": "Save diagnostics",
      "save": "Save as a zip",
      "shown": "The file has exactly this text. A placeholder such as <id-1> always names the same thing.",
      "text": "Versions, settings, counts and the latest log lines, for whoever helps you. Keys, names, ids, addresses and home paths are removed, and you see everything first.",
      "title": "What the diagnostics contain"
    },
    "durability": {
      "full": "On disk",
      "normal": "Soon on disk"
    },
    "edited": {
      "text": "Restart the node to apply: {{names}}. Until then it goes on with the settings it started with.",
      "title": "{{path}} was edited"
    },
    "holder": {
      "program": "{{name}} (process {{pid}})",
      "self": "this node’s other endpoint",
      "unknown": "another program",
      "wellhouse": "another Wellhouse",
      "wellhouseAs": "another Wellhouse, {{program}}"
    },
    "lockAfter": {
      "locked": "The keys are locked.",
      "none": "There is no keystore yet.",
      "insecure": "Keys are not used on a page that came over an unprotected network."
    },
    "move": {
      "button": "Move…",
      "done": "The data folder was moved",
      "failed": "The data folder was not moved",
      "pause": "While it copies, the node receives nothing. Devices keep about 50 readings and send them afterwards.",
      "start": "Move",
      "text": "Wellhouse copies everything, compares it and checks the stores. Only then does the node use the new folder. The old one stays until you delete it.",
      "title": "Move the data folder",
      "to": "New folder",
      "toText": "The full path of an empty or new folder"
    },
    "moveProblem": {
      "busy": "The node is not running, or another move is under way.",
      "cancelled": "You stopped it. The old folder is in use as before.",
      "copy_failed": "The disk failed while the data was copied. The old folder is in use as before.",
      "nested": "One of the folders is inside the other.",
      "no_space": "There is not enough free space.",
      "not_absolute": "Enter the full path, from the root on.",
      "not_applicable": "Only the desktop app moves its data.",
      "not_empty": "The folder is not empty.",
      "not_equal": "The copy differed from the data, or a store is damaged. The old folder is in use as before.",
      "not_writable": "The node may not write there.",
      "pinned": "DATA_DIR set the folder when the app was started, and takes precedence.",
      "same": "This folder already has the data.",
      "start_failed": "The node did not start on the copy. The old folder is in use as before."
    },
    "name": {
      "backups": "Backups",
      "export": "Open formats",
      "closeBehaviour": "Closing the window",
      "dataDir": "Data folder",
      "durability": "When a reading is confirmed",
      "file": "Settings file",
      "language": "Language",
      "localAllowedHosts": "Further host names",
      "localPort": "Port of the local endpoint",
      "lockAfter": "Lock the keys after",
      "publicEnabled": "Public endpoint",
      "publicPort": "Port of the public endpoint",
      "publicRateLimit": "Requests a second from one address",
      "startAtLogin": "Start at login",
      "theme": "Light or dark"
    },
    "off": "Off",
    "old": {
      "ask": "The files that were moved from this folder are deleted for good. Other files stay, with a note of where the data went.",
      "askTitle": "Delete the old copy?",
      "delete": "Delete…",
      "deleteNow": "Delete for good",
      "failed": "Some file changed since the move, or the disk refused. Nothing was deleted; check the folder yourself.",
      "name": "Old data folder",
      "text": "A move left a copy here, {{size}}. The node no longer uses it."
    },
    "on": "On",
    "problem": {
      "equal": "Each endpoint needs its own port. Nothing was changed.",
      "failed": "The system refused this. Nothing was changed.",
      "not_applicable": "This belongs to the desktop app.",
      "pinned": "{{variable}} was set when the node was started, and takes precedence.",
      "privileged": "The system reserves this port for its administrator: use one above 1023. Nothing was changed.",
      "refused": "The system refuses to open this port. Nothing was changed.",
      "taken": "This port is in use by {{holder}}. Nothing was changed."
    },
    "public": {
      "askTitle": "Turn the public endpoint on?",
      "internet": "{{name}}, internet",
      "lan": "{{name}}, local network",
      "noAddress": "This machine has no network address at the moment.",
      "off": "Off: the network can reach nothing of this node.",
      "on": "Listening at {{url}}. Reachable from:",
      "reachable": "It becomes reachable from:",
      "router": "A firewall may still keep others out; a router that forwards the port lets in the whole internet.",
      "turnOn": "Turn it on",
      "warning": "Whoever reaches one of the addresses below, without a password:",
      "warningNot": "The private store, the keys and this page are not reachable there.",
      "warningRead": "reads everything in the public store: devices, their locations and their readings;",
      "warningWrite": "may register devices of their own and send readings, within the limits of this node."
    },
    "refused": {
      "localAllowedHosts": "Names such as well.lan or public addresses, without http:// and without a port",
      "localPort": "A whole number from 1 to 65535",
      "publicPort": "A whole number from 1 to 65535",
      "publicRateLimit": "A whole number from 0 to 1000000"
    },
    "save": "Save",
    "saved": "Saved. The change applies now.",
    "section": {
      "data": "Data",
      "desktop": "Desktop app",
      "endpoints": "Endpoints",
      "help": "When something is wrong",
      "units": "Units",
      "view": "This view"
    },
    "source": {
      "environment": "set by {{variable}}"
    },
    "text": {
      "closeBehaviour": "The node receives readings only while the app runs.",
      "dataDir": "Both stores, the node’s identity and the keystore.",
      "dataDirBrowser": "Both stores, the node’s identity and the keystore. DATA_DIR sets the folder of a headless node at its start.",
      "file": "Changes on this page are saved in this file. An environment variable takes precedence.",
      "localAllowedHosts": "Further names and public addresses of the local endpoint besides localhost and private addresses, separated by commas.",
      "localPort": "Answers only this machine: devices reach it through a tunnel to this port. In a browser, this page uses the same port.",
      "lockAfter": "Saved in the keystore, with its keys.",
      "ofThisBrowser": "Each browser has its own.",
      "publicPort": "Devices that publish send to this port.",
      "publicRateLimit": "For the public endpoint; ten times as many blocks. 0 means no limit.",
      "startAtLogin": "The node then receives readings as soon as you are logged in.",
      "backups": "Everything that makes this node, every day on another disk.",
      "export": "All devices and readings as CSV, NDJSON, Parquet or SQLite.",
      "toExport": "Export all data",
      "toBackups": "Backups, check and restore",
      "durability": "A device forgets a reading once the node confirms it. “On disk” confirms it when it is safe from a power cut. “Soon on disk” spares a memory card and is faster, but a power cut can lose the readings of the last minute for good."
    },
    "title": "Settings",
    "toKeys": "Settings of the keys",
    "undo": "Undo",
    "units": {
      "conductivity": "Nutrients (EC)",
      "conductivityText": "Devices send dissolved solids: 500 ppm for each mS/cm.",
      "distance": "Water level",
      "distanceText": "The distance from the sensor to the water. For a per cent full, enter a tank’s distances at its device.",
      "failed": "The units were not saved.",
      "temperature": "Temperature",
      "temperatureText": "For every device without its own unit."
    }
  };
  space: {
    "about": "About",
    "compact": {
      "action": "Give {{size}} back to the disk",
      "done": "{{size}} freed on the disk.",
      "noRoom": "The disk does not have enough free space for that.",
      "pause": "While it runs, the node receives nothing: devices keep their readings and send them again. It takes some seconds for each hundred megabytes.",
      "running": "Compacting… devices wait and send again.",
      "start": "Compact now",
      "text": "This writes the store again without its unused parts. It needs about {{needed}} of free space for a while; {{free}} are free.",
      "title": "Compact the store"
    },
    "device": "Device",
    "disk": "Disk",
    "free": "Free",
    "freeOf": "{{free}} of {{total}}",
    "growth": "Growth a day",
    "keep": {
      "addDevice": "Add a device…",
      "backupFirst": "A deleted reading can't be brought back, except from a backup.",
      "cancel": "Cancel",
      "clockless": "Devices without a clock keep no hourly values.",
      "confirm": "Save these rules and delete",
      "countOf": "{{label}}: how many",
      "countRange": "A whole number from 1 to {{most}}",
      "days_one": "{{number}} day",
      "days_other": "{{number}} days",
      "deleting_one": "Deleting… {{number}} reading so far",
      "deleting_other": "Deleting… {{number}} readings so far",
      "devices_one": "{{number}} device",
      "devices_other": "{{number}} devices",
      "forever": "Forever",
      "last_one": "Last run: {{number}} reading deleted, {{time}}",
      "last_other": "Last run: {{number}} readings deleted, {{time}}",
      "look": "See what would be deleted",
      "months_one": "{{number}} month",
      "months_other": "{{number}} months",
      "nothing": "No reading is old enough to be deleted now.",
      "other": "Other…",
      "ownRules": "Devices with their own period",
      "private": "Private store",
      "public": "Public store",
      "remove": "Remove",
      "removeOf": "Remove the rule of {{name}}",
      "save": "Save",
      "strangers": "Public store, devices of others",
      "strangersSame": "Same as the public store",
      "text": "Older readings are deleted once a day. Their hourly minimum, mean and maximum stay, so older charts remain, by the hour; single readings can no longer be listed or exported. The newest 500 readings of each device always stay.",
      "title": "How long readings are kept",
      "unit": {
        "days": "days",
        "weeks": "weeks",
        "months": "months"
      },
      "unitOf": "{{label}}: unit",
      "weeks_one": "{{number}} week",
      "weeks_other": "{{number}} weeks",
      "wouldGo_one": "{{number}} reading of {{devices}} would be deleted for good, about {{size}}.",
      "wouldGo_other": "{{number}} readings of {{devices}} would be deleted for good, about {{size}}.",
      "years_one": "{{number}} year",
      "years_other": "{{number}} years"
    },
    "lasts": "The disk lasts",
    "lastsDays_one": "about {{number}} day at this rate",
    "lastsDays_other": "about {{number}} days at this rate",
    "lastsUnknown": "Not known yet: no readings in the last seven days",
    "lastsYears": "more than {{years}} years at this rate",
    "noReadings": "No readings yet",
    "perDay": "New readings a day",
    "perDayText": "Mean of the last seven days",
    "readings": "Readings",
    "size": "On the disk",
    "store": {
      "private": "Private store",
      "public": "Public store"
    },
    "title": "Space",
    "unknownDevice": "Device {{id}}",
    "unused": "Unused, left by deleted readings",
    "unusedText": "New readings use this space first."
  };
  startup: {
    "damaged": {
      "copy": "The damaged file is kept as {{path}}.",
      "dismiss": "Dismiss the notice about {{file}}",
      "lost": "These entries could not be read; everything else in it is in use:",
      "missing": {
        "restore": "Restore a backup",
        "text": "The node runs without the readings that were in it. Restore a backup, or dismiss this notice if you want to start again without them.",
        "title": "{{file}} is missing, noticed on {{time}}."
      },
      "more_one": "{{names}} and {{count}} more",
      "more_other": "{{names}} and {{count}} more",
      "noCopy": "There was no room on the disk to keep the damaged file.",
      "part": {
        "channels": "Alert channels",
        "devices": "When devices were last heard",
        "keys": "Keys that open the door",
        "lines": "Past alerts (lines of the file)",
        "live": "Alerts that were firing",
        "nodes": "Other nodes",
        "options": "Options of alerts",
        "other": "{{part}}",
        "outbox": "Alert messages on their way",
        "pairings": "Paired phones and people",
        "quietHours": "Quiet hours",
        "rules": "Alert rules",
        "settings": "Settings"
      },
      "title": "{{file}} was damaged, noticed on {{time}}.",
      "whole": {
        "nothing": "Nothing in it could be read. It starts empty.",
        "previous": "Nothing in it could be read. The copy from before its latest change is in use: check that your latest change is there.",
        "absent": "The file was missing. The copy from before its latest change is in use: check that your latest change is there."
      },
      "restored": "These entries could not be read; they are now as before the latest change:"
    },
    "devices": "The node receives nothing until then. Devices keep about 50 readings (some 50 minutes) and send them when the node is back.",
    "folder": {
      "label": "Another data folder",
      "labelText": "The full path of an empty folder, or of one with Wellhouse data",
      "noData": "This folder has no Wellhouse data. If you start there, a new node is made, with its own key and no readings.",
      "other": "Use another data folder",
      "newNode": "Start a new node there",
      "text": {
        "busy": "Close the other Wellhouse and try again, or use another folder.",
        "missing": "Your settings name this folder, but it has no data. Is its disk connected? Connect it and try again, or use another folder.",
        "moved": "Its data was moved to another folder. Use that folder.",
        "unusable": "The folder can’t be created. Use another folder, or fix the problem that the system reports and try again."
      },
      "title": {
        "busy": "Another Wellhouse uses the data folder",
        "missing": "The data is not where it should be",
        "moved": "The data was moved",
        "unusable": "The data folder can’t be used"
      },
      "use": "Use this folder"
    },
    "moving": {
      "cancel": "Stop, and stay with the old folder",
      "checking": "Checking the copy",
      "copying": "Copying",
      "progress": "{{done}} of {{total}}",
      "title": "The data folder is being moved"
    },
    "other": {
      "text": "The node reports, in English:",
      "title": "The node did not start"
    },
    "port": {
      "end": "Close that program and try again, or use another port.",
      "equal": "Both endpoints are set to this port. Each needs its own.",
      "label": {
        "local": "Another port for the local endpoint",
        "public": "Another port for the public endpoint"
      },
      "privileged": "The system reserves it for its administrator. Use a port above 1023.",
      "refused": "The system refuses to open it.",
      "taken": {
        "local": "It is in use by {{holder}}. The local endpoint, where your devices post through their tunnel, needs its own port.",
        "public": "It is in use by {{holder}}. The public endpoint needs its own port."
      },
      "title": "Port {{port}} can’t be used",
      "tunnel": "Set the new port in your tunnels and devices too.",
      "use": "Use this port",
      "withoutPublic": "Start with the public endpoint off",
      "wrong": "A whole number from 1 to 65535"
    },
    "restored": {
      "label": "Restored data",
      "text": "This data was restored on {{at}} from a backup of {{madeAt}}. You can put back the data that was here before; Wellhouse never does that by itself."
    },
    "retry": "Try again",
    "sleep": {
      "advice": "A node on a computer that never sleeps misses nothing: run Wellhouse without a window on a Raspberry Pi (docs/raspberry-pi.md).",
      "dismiss": "Dismiss",
      "missed_one": "Devices keep about 50 readings. The older ones of {{count}} device are lost: about {{readings}}.",
      "missed_other": "Devices keep about 50 readings. The older ones of {{count}} devices are lost: about {{readings}} in all.",
      "none": "Devices kept their readings meanwhile and send them now.",
      "slept": "This computer slept from {{from}} to {{to}} ({{span}})."
    },
    "slow": {
      "title": "The node has not started yet",
      "text": "Opening the restored data takes longer than expected. The node goes on, and reports, in English:"
    },
    "starting": "The node is starting"
  };
}
