/**
 * The form of an export: lines of JSON (NDJSON), of which the first is the manifest and the last the signed end. Between them stand events in
 * the order of the log, and, where leaves of the tree have no line, the hashes of the subtrees over those. All lines together rebuild the
 * tree of the signed head: one proof for the whole file (docs/proof.md).
 */
export const EXPORT_VERSION = 1

/** Which events were asked for; null for all. */
export type ExportFilters = {
  readonly white_label: string | null
  readonly space: string | null
  readonly actor: string | null
  readonly types: readonly string[] | null
  /** Business time, ISO 8601: from this instant on, and before this one. */
  readonly from: string | null
  readonly to: string | null
}

/**
 * Completeness of the file: `range`, every event of its range; `streams`, every stream that is in it, but not that no stream is
 * missing; `none`, nothing.
 */
export type Completeness = 'range' | 'streams' | 'none'

/** The first line. */
export type ExportManifest = {
  readonly placard_export: typeof EXPORT_VERSION
  readonly created_at: string
  /** The head that has all events of the file: C2SP tlog-checkpoint, with cosignatures. */
  readonly checkpoint: string
  /** Verifier keys that ever signed heads of this log, for reference: take the key that you trust from elsewhere. */
  readonly keys: readonly string[]
  /** The range that was read: the leaves `from` up to, and without, `to`. */
  readonly leaves: { readonly from: number; readonly to: number }
  readonly filters: ExportFilters
  readonly completeness: Completeness
  /** Whether personal values stand in plain text beside the stored bytes. */
  readonly personal: boolean
}

/** An event as it is stored, byte for byte. */
export type ExportedEvent = {
  /** Its leaf in the tree. */
  readonly leaf: number
  readonly position: string
  readonly stream: string
  readonly version: number
  readonly event_id: string
  readonly type: string
  readonly schema_version: number
  readonly data: string
  readonly metadata: string
  /** Its hash, which is the entry of its leaf: 64 hexadecimal digits. */
  readonly hash: string
  /** The data with its personal values in plain text, where it has any. The hash does not cover them, the signature of the end does. */
  readonly revealed?: unknown
}

/** Leaves without a line: the hashes of the fewest complete subtrees over them, from left to right, in base64. */
export type SkippedLeaves = {
  readonly skipped: { readonly from: number; readonly to: number; readonly hashes: readonly string[] }
}

/** The export ended early, since the log is not what its head says. */
export type ExportFault = { readonly fault: string }

/** The last line. */
export type ExportEnd = {
  readonly end: {
    /** Lines before this one, and events among them. */
    readonly lines: number
    readonly events: number
    /** The position after which the next export goes on; null at the head. */
    readonly next: string | null
    /** SHA-256 of each mebibyte of the lines before this one, with their line breaks, in base64. */
    readonly blocks: readonly string[]
    /** A signed note of the text of `endText`, by the keys of the log. */
    readonly note: string
  }
}

/** Content of the text that is signed at the end. */
export type SignedEnd = {
  readonly origin: string
  readonly size: number
  /** Base64. */
  readonly root: string
  readonly lines: number
  readonly events: number
  readonly next: string | null
  readonly filters: ExportFilters
  /** SHA-256 over the hashes of the blocks, in base64. */
  readonly sha256: string
}

/** The text that is signed. Its first line has spaces, which no origin has: it can never be read as a checkpoint. */
export const endText = ({ origin, size, root, lines, events, next, filters, sha256 }: SignedEnd): string =>
  [
    `Placard export v${EXPORT_VERSION}`,
    origin,
    size,
    root,
    `lines ${lines}`,
    `events ${events}`,
    `next ${next ?? '-'}`,
    `filters ${filtersText(filters)}`,
    `sha256 ${sha256}`,
    '',
  ].join('\n')

const filtersText = ({ white_label, space, actor, types, from, to }: ExportFilters): string =>
  JSON.stringify({ white_label, space, actor, types, from, to })
