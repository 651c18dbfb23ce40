import type { NoteSigner } from '#proof/log/signed-note'
import type { Tile, TileAddress } from '#proof/log/tiles'
import type { Position } from '#eventstore/event-store'

export type { NoteSigner, Tile, TileAddress }

/** The tree as it is stored. */
export type TreeState = {
  /** The name of this log in checkpoints, unique among all logs. */
  readonly origin: string
  /** Leaves in it. */
  readonly size: number
  /** Position of the last event in it. */
  readonly position: Position
  /** How far the present comparison with the log has come. */
  readonly checked: { readonly size: number; readonly position: Position }
  /** How the tree and the log disagree; null as long as they agree. */
  readonly fault: string | null
}

export type Leaves = {
  /** Where the tree was when its next events were read. */
  readonly from: Pick<TreeState, 'size' | 'position'>
  readonly upTo: Position
  readonly eventIds: readonly string[]
  readonly edges: readonly TileAddress[]
  /** Tiles to store, from the tiles at the edges. */
  readonly extend: (edges: readonly Tile[]) => readonly Tile[]
}

export type Head = {
  readonly size: number
  readonly root: Buffer
  /** The checkpoint with the signatures of the log's own keys. */
  readonly note: string
}

/** A signed head with the lines of its witnesses. */
export type CosignedHead = Head & {
  /** Seconds since it was last found to be the newest. */
  readonly age: number
  readonly cosignatures: readonly string[]
}

/** Figures that operators watch. */
export type LogFigures = {
  readonly size: number
  /** Seconds since the newest head was signed or found to be still the newest; null without a head. */
  readonly headAge: number | null
  readonly fault: boolean
  readonly witnesses: readonly { readonly name: string; readonly failing: boolean }[]
}

export type ListedKey = {
  readonly verifier_key: string
  /** Instants, ISO 8601. */
  readonly created_at: string
  /** When it stops to sign; null for a key that nothing replaced. */
  readonly signs_until: string | null
  readonly signs: boolean
}

export type LogTreeStore = {
  readonly state: () => Promise<TreeState>
  /** Adds leaves in one transaction; false when another process has moved the tree since `from`. */
  readonly append: (leaves: Leaves) => Promise<boolean>
  readonly tiles: (addresses: readonly TileAddress[]) => Promise<readonly Tile[]>
  /** The leaf of an event; null while the tree does not have it. */
  readonly indexOf: (eventId: string) => Promise<number | null>
  /** The leaves of events; null for one that the tree does not have. */
  readonly indexesOf: (eventIds: readonly string[]) => Promise<readonly (number | null)[]>
  /** Ids of the events of the leaves `from` up to, and without, `to`. Reads the whole index: for faults alone. */
  readonly eventsAt: (from: number, to: number) => Promise<readonly string[]>
  /** Stores how far a comparison has come. */
  readonly checked: (to: TreeState['checked']) => Promise<void>
  /** Keeps a fault, with the instant when it was found first; the comparison starts again. */
  readonly faulty: (fault: string) => Promise<void>
  /** A comparison of the whole tree found no fault: removes an earlier one, and starts again. */
  readonly agrees: () => Promise<void>
}

export type LogHeadStore = {
  /** The newest head; null before the first. */
  readonly newest: () => Promise<CosignedHead | null>
  readonly ofSize: (size: number) => Promise<CosignedHead | null>
  /** The next heads that are larger than a size, the smallest first. */
  readonly listed: (after: number, most: number) => Promise<readonly CosignedHead[]>
  /** Stores a head, or that the same one is still the newest, with the jobs that publish it. */
  readonly add: (head: Head, witnesses: readonly string[]) => Promise<void>
  /** Keys that sign now. Creates the first one. */
  readonly signers: (origin: string) => Promise<readonly NoteSigner[]>
  readonly keys: () => Promise<readonly ListedKey[]>
}

export type WitnessStore = {
  /** Size of the tree that a witness cosigned last, as far as this log knows; 0 for none. */
  readonly sizeOf: (witness: string) => Promise<number>
  /** Corrects the size that a witness has cosigned. */
  readonly knows: (witness: string, size: number) => Promise<void>
  /** Keeps a cosignature, with the job that publishes it. */
  readonly cosigned: (witness: string, size: number, line: string) => Promise<void>
  readonly failed: (witness: string, reason: string) => Promise<void>
}
