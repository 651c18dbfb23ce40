import type { VersionCounts } from '#domain/audience/audience'
import type { RowRejection } from '#domain/audience/identifiers'
import type { RuleGroup } from '#domain/campaign/content/content'
import type { CommandContext } from '#domain/kit/event-metadata'

/** Data of audiences beside the log. The composition root implements it. */
export type AudienceStores = {
  readonly keys: AudienceKeys
  readonly names: AudienceNames
  readonly uploads: AudienceUploads
  readonly sets: AudienceSets
  readonly visitors: AudienceVisitors
}

/** Bytes of a hashed identifier, and the buckets by its first byte. */
export const HASH_BYTES = 16
export const BUCKETS = 256

/** The key of each white-label, with which identifiers are hashed; created at the first request. */
export type AudienceKeys = {
  readonly keyOf: (whitelabelId: string) => Promise<Buffer>
  /** Keys of one white-label, or of all that have one for null. */
  readonly all: (whitelabelId: string | null) => Promise<readonly { readonly whitelabel_id: string; readonly key: Buffer }[]>
}

/** Names of audiences, unique in an account. A deleted audience has none. */
export type AudienceNames = {
  /** True when the name now belongs to this audience, which then has no other name. */
  readonly claim: (spaceId: string, audienceId: string, name: string) => Promise<boolean>
  /** Hides an audience from new campaigns while its deletion is decided, or shows it again. */
  readonly leave: (audienceId: string, leaving: boolean) => Promise<void>
  /** Those of these audiences that the account has. */
  readonly known: (spaceId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Keeps audiences from being deleted until `release`, for a minute at most; false when the account does not have all of them. */
  readonly use: (spaceId: string, ids: readonly string[], claimId: string) => Promise<boolean>
  readonly release: (claimId: string) => Promise<void>
  /** Whether a save under way names the audience. */
  readonly inUse: (audienceId: string) => Promise<boolean>
  readonly removeExpired: () => Promise<void>
}

export type UploadPlace = { readonly audienceId: string; readonly spaceId: string; readonly whitelabelId: string }

/** Hashes of one bucket, one after the other. */
export type Bucketed = { readonly bucket: number; readonly members: Buffer }
/** A row of the file, from 1, and why it does not count. */
export type RejectedRow = readonly [row: number, reason: RowRejection]

export type ReceivedSoFar = { readonly rows: number; readonly rejected: number; readonly reasons: VersionCounts['reasons'] }

export type Received = ReceivedSoFar &
  UploadPlace & {
    /** Name of a new audience; null for another version of one. */
    readonly name: string | null
    readonly context: CommandContext
  }

/** An upload whose rows are all here. */
export type PendingUpload = UploadPlace &
  ReceivedSoFar & {
    readonly id: string
    readonly version: number | null
    readonly name: string | null
    readonly context: CommandContext
    /** Whether its members are in their set already, and only the event is missing. */
    readonly stored: boolean
    /** ISO 8601 UTC. */
    readonly receivedAt: string
  }

/** Files on their way to a version: a crash leaves either nothing of a file or all of it. */
export type AudienceUploads = {
  readonly begin: (id: string, place: UploadPlace, at: string) => Promise<void>
  readonly add: (
    id: string,
    part: number,
    page: { readonly members: readonly Bucketed[]; readonly rejected: readonly RejectedRow[] },
    soFar: ReceivedSoFar,
  ) => Promise<void>
  /** From here on the upload is finished by its job. */
  readonly received: (id: string, received: Received) => Promise<void>
  readonly discard: (id: string) => Promise<void>
  readonly numbered: (id: string, version: number) => Promise<void>
  /** Merges the parts into the members of a version, in one transaction. Null when the account has no room for them. */
  readonly merge: (
    upload: PendingUpload & { readonly version: number },
    room: number,
    signal?: AbortSignal,
  ) => Promise<VersionCounts | null>
  /** The log has the outcome: nothing is left to do. */
  readonly recorded: (id: string) => Promise<void>
  readonly failed: (id: string) => Promise<void>
  /** Removes parts of files that a process died receiving; returns how many. */
  readonly removeAbandoned: (seconds: number) => Promise<number>
  /** Null for one that is finished, or whose rows are not all here. */
  readonly find: (id: string) => Promise<PendingUpload | null>
  /** Rows of the newest upload that is being merged, and how many are done. */
  readonly progress: (audienceId: string) => Promise<{ readonly rows: number; readonly done: number } | null>
  /** Pages of the rejected rows of a version. */
  /** Forgets which rows were rejected in uploads of this many days ago, in so many parts; their number stays. */
  readonly removeRejectedRows: (days: number, limit: number) => Promise<void>
  readonly rejectedRows: (audienceId: string, version: number) => AsyncIterable<readonly RejectedRow[]>
}

export type SetKey = { readonly audienceId: string; readonly version: number }
export type AudienceSet = {
  readonly audience_id: string
  readonly version: number
  readonly space_id: string
  readonly whitelabel_id: string
  readonly members: number
  readonly etag: string
}

/** Members of versions. */
export type AudienceSets = {
  readonly find: (keys: readonly SetKey[]) => Promise<readonly AudienceSet[]>
  /** Whether one of these of the account is a list of a file with fewer than `SMALLEST_SERVED` members, and none of its files is processed. */
  readonly small: (spaceId: string, ids: readonly string[]) => Promise<boolean>
  /** Sorted hashes of some buckets, which are in order. */
  readonly buckets: (key: SetKey, buckets: readonly number[]) => Promise<Buffer>
  /** All sorted hashes, bucket by bucket. */
  readonly read: (key: SetKey) => AsyncIterable<Buffer>
  /** Replaces the members that rules select; returns whether they changed. */
  readonly replace: (
    of: SetKey & { readonly spaceId: string; readonly whitelabelId: string; readonly rules: RuleGroup },
    members: readonly Bucketed[],
    /** Business time, and the database's time before the visitors were read. */
    at: { readonly now: string; readonly seenUntil: string },
  ) => Promise<boolean>
  /** The database's time, ISO 8601, less a margin for events that are being stored. */
  readonly seenUntil: () => Promise<string>
  readonly sizes: (
    audienceId: string,
  ) => Promise<readonly { readonly at: string; readonly version: number; readonly members: number }[]>
  /** Removes all that is stored of an audience. */
  readonly remove: (audienceId: string) => Promise<void>
}

/** Visitors of an account's sites and apps, by what their events say. */
export type AudienceVisitors = {
  /** Calls back with each visitor that matches; returns how many visitors there are. `most` limits those that are looked at. */
  readonly each: (
    asked: { readonly spaceId: string; readonly rules: RuleGroup; readonly now: string; readonly most: number | null },
    found: (visitor: string) => void,
  ) => Promise<number>
}
