import type { FileFacts, TargetNames } from '../../domain/campaign/saving/references.ts'
import type { Micros } from '../../domain/kit/money.ts'

/** What campaign commands need to know from outside the stream. The composition root implements it. */
export type CampaignPort = {
  /** The account a campaign belongs to; null when there is none with this id. */
  readonly account: (spaceId: string) => Promise<Account | null>
  /** Billed spend of a campaign, in micros: on its local day (YYYY-MM-DD), and in all. */
  readonly spendOf: (campaignId: string, localDay: string) => Promise<{ readonly today: Micros; readonly total: Micros }>
  /** True when the name now belongs to this campaign; `claim: false` only looks (dry run). */
  readonly reserveName: (reservation: NameReservation) => Promise<boolean>
  /** Offset of a country in seconds east of UTC; null for a code that names none. */
  readonly countryOffset: (isoCode: string) => number | null
  /** Of these files, those one of the spaces may use; the others are not in the answer. */
  readonly files: (ids: readonly string[], spaceIds: readonly string[]) => Promise<ReadonlyMap<string, FileFacts>>
  /** Keeps files for good, because a commit is about to name them; false when one is not there any more. */
  readonly claimFiles: (ids: readonly string[]) => Promise<boolean>
  /** Paths under `targeting` that name a city, an app or an audience nobody knows. */
  readonly unknownTargets: (names: TargetNames, spaceId: string) => Promise<ReadonlySet<string>>
  /** True for an app of the catalogue. */
  readonly appKnown: (platform: string, bundleId: string) => boolean
  /** Smallest bid, exclusive, for a currency. */
  readonly baseBid: (currency: string) => Micros
  readonly maxMargin: (spaceId: string) => Promise<number>
  /** Whether the white-label lets people approve what they made or submitted themselves. */
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
}

export type NameReservation = {
  readonly spaceId: string
  readonly campaignId: string
  readonly name: string
  readonly claim: boolean
}
