import type { FileFacts, TargetNames } from '#domain/campaign/saving/references'
import type { Micros } from '#domain/kit/money'

/** Facts from outside the stream that campaign commands need. The composition root implements it. */
export type CampaignPort = {
  /** The account a campaign belongs to; null when there is none with this id. */
  readonly account: (spaceId: string) => Promise<Account | null>
  /** Billed spend of a campaign, in micros: on its local day (YYYY-MM-DD), and in total. */
  readonly spendOf: (campaignId: string, localDay: string) => Promise<Spend>
  /** True when the name now belongs to this campaign; `claim: false` only checks (dry run). */
  readonly reserveName: (reservation: NameReservation) => Promise<boolean>
  /** Offset of a country in seconds east of UTC; null for an unknown code. */
  readonly countryOffset: (isoCode: string) => number | null
  /** Those of these files that one of the spaces may use. */
  readonly files: (ids: readonly string[], spaceIds: readonly string[]) => Promise<ReadonlyMap<string, FileFacts>>
  /** Marks files as permanent before a commit refers to them; false when one is missing. */
  readonly claimFiles: (ids: readonly string[]) => Promise<boolean>
  /** Opens files to everybody: a review approved content with them. */
  readonly reviewFiles: (ids: readonly string[]) => Promise<void>
  /** Paths under `targeting` that name an unknown city, app or audience. */
  readonly unknownTargets: (names: TargetNames, spaceId: string) => Promise<ReadonlySet<string>>
  /** Whether one of these audiences of the account is an uploaded list with too few members to be served; one in processing is not. */
  readonly smallAudiences: (spaceId: string, ids: readonly string[]) => Promise<boolean>
  /** Keeps audiences from being deleted until the commit that names them is done; false when one is unknown. */
  readonly claimAudiences: (spaceId: string, ids: readonly string[], claimId: string) => Promise<boolean>
  readonly releaseAudiences: (claimId: string) => Promise<void>
  /** True for an app of the catalogue. */
  readonly appKnown: (platform: string, bundleId: string) => boolean
  /** Smallest bid, exclusive, of an account in this currency that has none of its own. */
  readonly baseBid: (currency: string) => Micros
  /** Highest margin, percent, of an account that has none of its own. */
  readonly maxMargin: number
  /** Whether the white-label lets users approve what they made or submitted themselves. */
  readonly ownApproval: (whitelabelId: string) => Promise<boolean>
}

export type Account = {
  readonly space_id: string
  readonly whitelabel_id: string
  readonly name: string
  readonly currency: string
  readonly house: boolean
  /** Balance and credit, in micros. */
  readonly available: Micros
  readonly suspended: boolean
  /** Its own smallest bid, exclusive, and highest margin; null for the product's. */
  readonly baseBid: Micros | null
  readonly maxMargin: number | null
}

/** Billed spend, in micros: on a local day, and in total. */
export type Spend = {
  readonly today: Micros
  readonly total: Micros
  /** End of the last hour that was billed, ISO 8601; null without any. */
  readonly billedUntil: string | null
}

export type NameReservation = {
  readonly spaceId: string
  readonly campaignId: string
  readonly name: string
  readonly claim: boolean
}
