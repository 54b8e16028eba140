import Database from 'better-sqlite3';

// Takes a store's write lock as another program would: node hold-lock.ts FILE. Releases it when its stdin ends.

const db = new Database(process.argv[2]!, { fileMustExist: true });
db.exec('BEGIN IMMEDIATE');
process.stdout.write('held\n');
process.stdin.resume().on('end', () => {
  db.exec('ROLLBACK');
  db.close();
});
