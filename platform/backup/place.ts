import type { Readable } from 'node:stream'

/** A backup under way: what is written to it is seen once it is finished. */
export type Begun = {
  readonly write: (file: string, source: Readable) => Promise<void>
  readonly finish: () => Promise<void>
}

/** Where backups lie, each in its own folder, with the stored files of all of them in `files`. Names are relative, with slashes. */
export type Place = {
  /** How `--from` names a backup of it. */
  readonly addressOf: (backup: string) => string
  readonly begin: (backup: string) => Promise<Begun>
  /** Names of the files in a folder and the folders below it. */
  readonly names: (folder: string) => Promise<ReadonlySet<string>>
  /** Writes a file whole or not at all. */
  readonly write: (name: string, source: Readable) => Promise<void>
  /** The bytes of a file; null without one. */
  readonly read: (name: string) => Promise<Readable | null>
  readonly close: () => void
}
