import type { Database } from 'better-sqlite3'
import type { Generated } from 'kysely'
import { chainOn, linkAll } from './sqlite-chain.ts'

/** The tables as queries see them. A row is a fact: it is added once and stays. */
export interface Tables {
  /** What the run is; a new row when points were added. The newest counts. */
  runs: { seq: Generated<number>; facts: string; time: string }
  rounds: {
    round: number
    stream: string
    strategy: string
    design: string
    size: number
    model: string
    survey: string
    time: string
    /** Of an audit; none before it kept them. */
    rules: string | null
  }
  draws: {
    round: number
    position: number
    id: string
    order: number
    probability: number
    mass: number
    remaining: number
    scores: string
    /** Scores of the newest model, where the masses are those of an earlier one. */
    latest: string | null
  }
  /** An answer, one taken back, or a revision after its round closed: each is a new row, and the last one counts. */
  answers: {
    seq: Generated<number>
    round: number
    id: string
    label: string | null
    annotator: string
    time: string
    kind: 'answer' | 'retraction' | 'revision'
    /** With a revision: rounds on record when it was made; none before revisions kept it. */
    opened: number | null
  }
  /** `after`: draws that count, where it was closed before its end. */
  closings: { round: number; time: string; after: number | null }
  facts: { seq: Generated<number>; name: string; value: string; time: string }
  models: { seq: Generated<number>; id: string; round: number; json: string; time: string }
  certificates: { seq: Generated<number>; seal: string; text: string; time: string }
  events: { seq: Generated<number>; kind: string; detail: string | null; time: string }
  /** The hash of every fact and of the one before it, in the order in which they came. */
  chain: { seq: Generated<number>; about: string; key: number; hash: Buffer }
}

/** 'ALIS' in the header of the file: how a project is told from any other SQLite database. */
export const applicationId = 0x414c4953

/** One step for each version. What has been released is never edited: files out there have been through it. */
export const migrations: readonly Step[] = [
  `
  PRAGMA application_id = ${applicationId};

  CREATE TABLE runs (seq INTEGER PRIMARY KEY, facts TEXT NOT NULL, time TEXT NOT NULL) STRICT;
  CREATE TABLE rounds (
    round INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    strategy TEXT NOT NULL,
    design TEXT NOT NULL,
    size REAL NOT NULL,
    model TEXT NOT NULL,
    survey TEXT NOT NULL,
    time TEXT NOT NULL
  ) STRICT;
  CREATE TABLE draws (
    round INTEGER NOT NULL REFERENCES rounds,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    "order" INTEGER NOT NULL,
    probability REAL NOT NULL,
    mass REAL NOT NULL,
    remaining REAL NOT NULL,
    scores TEXT NOT NULL,
    PRIMARY KEY (round, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draws_by_point ON draws (round, id);
  CREATE TABLE answers (
    seq INTEGER PRIMARY KEY,
    round INTEGER NOT NULL REFERENCES rounds,
    id TEXT NOT NULL,
    label TEXT,
    annotator TEXT NOT NULL,
    time TEXT NOT NULL
  ) STRICT;
  CREATE TABLE closings (round INTEGER PRIMARY KEY REFERENCES rounds, time TEXT NOT NULL) STRICT;

  CREATE TABLE facts (seq INTEGER PRIMARY KEY, name TEXT NOT NULL, value TEXT NOT NULL, time TEXT NOT NULL) STRICT;
  CREATE INDEX facts_by_name ON facts (name, seq);
  CREATE TABLE models (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    round INTEGER NOT NULL,
    json TEXT NOT NULL,
    time TEXT NOT NULL
  ) STRICT;
  CREATE TABLE certificates (seq INTEGER PRIMARY KEY, seal TEXT NOT NULL UNIQUE, text TEXT NOT NULL, time TEXT NOT NULL) STRICT;
  CREATE TABLE events (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, detail TEXT, time TEXT NOT NULL) STRICT;

  ${appendOnly('runs', 'seq = NEW.seq')}
  ${appendOnly('rounds', 'round = NEW.round')}
  ${appendOnly('draws', 'round = NEW.round AND position = NEW.position')}
  ${appendOnly('answers', 'seq = NEW.seq')}
  ${appendOnly('closings', 'round = NEW.round')}
  ${appendOnly('facts', 'seq = NEW.seq')}
  ${appendOnly('models', 'seq = NEW.seq OR id = NEW.id')}
  ${appendOnly('certificates', 'seq = NEW.seq OR seal = NEW.seal')}
  ${appendOnly('events', 'seq = NEW.seq')}
  `,
  `
  ALTER TABLE answers ADD COLUMN kind TEXT NOT NULL DEFAULT 'answer' CHECK (kind IN ('answer', 'retraction', 'revision'));
  CREATE INDEX answers_by_point ON answers (round, id, seq);
  `,
  `
  ALTER TABLE draws ADD COLUMN latest TEXT;
  `,
  `
  ALTER TABLE rounds ADD COLUMN rules TEXT;
  ALTER TABLE answers ADD COLUMN opened INTEGER;
  `,
  `
  ALTER TABLE closings ADD COLUMN after INTEGER;
  `,
  (sqlite) => {
    sqlite.exec(`
    CREATE TABLE chain (seq INTEGER PRIMARY KEY, about TEXT NOT NULL, "key" INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
    ${appendOnly('chain', 'seq = NEW.seq')}
    `)
    const found = linkAll(sqlite)
    const detail = JSON.stringify({ found })
    if (found > 0) chainOn(sqlite).put('events', { kind: 'chained', detail, time: new Date().toISOString() })
  },
]

type Step = string | ((sqlite: Database) => void)

/** Brings a file up to date, all steps or none. */
export function migrate(sqlite: Database, steps: readonly Step[] = migrations): void {
  const upgrade = sqlite.transaction(() => {
    for (const step of steps.slice(versionOf(sqlite))) typeof step === 'string' ? sqlite.exec(step) : step(sqlite)
    sqlite.pragma(`user_version = ${steps.length}`)
  })
  if (versionOf(sqlite) < steps.length) upgrade.immediate()
}

export function versionOf(sqlite: Database): number {
  return sqlite.pragma('user_version', { simple: true }) as number
}

/** Refuses every way to change a row. The trigger on INSERT stops REPLACE, which deletes without asking the one on DELETE. */
function appendOnly(table: string, isSame: string): string {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`
  return `
  CREATE TRIGGER ${table}_update BEFORE UPDATE ON ${table} ${refuse}
  CREATE TRIGGER ${table}_delete BEFORE DELETE ON ${table} ${refuse}
  CREATE TRIGGER ${table}_replace BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${isSame}) ${refuse}`
}
