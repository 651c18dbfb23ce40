import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { AccountCommands } from '#commands/account/account-commands'
import type { AudienceCommands } from '#commands/audience/audience-commands'
import type { AudienceStores } from '#commands/audience/audience-port'
import type { CampaignCommands } from '#commands/campaign/campaign-commands'
import type { InvoiceCommands } from '#commands/invoice/invoice-commands'
import type { InvoiceCharges } from '#commands/invoice/invoice-port'
import type { WhiteLabelCommands } from '#commands/white-label/white-label-commands'
import type { CampaignPort } from '#commands/campaign/campaign-port'
import type { PaymentCommands } from '#commands/payment/payment-commands'
import type { RegistrationCommands } from '#commands/registration/registration-commands'
import type { EventStore } from '#eventstore/event-store'
import type { FactStore } from '#factstore/fact-store'
import type { DeliveryPort } from '#commands/delivery/delivery-port'
import type { EventReads, PixelKeys, TrackedEvents } from '#commands/events/events-port'
import type { Db } from '#migrations/db'
import type { Projector } from '#projections/projector/projector'
import type { Config } from '../config.ts'
import type { Accounts } from './accounts.ts'
import type { CatchUp } from './behind.ts'
import type { Place } from './caller.ts'
import type { Deliveries } from './deliveries.ts'
import type { PeoplePort } from './campaigns/answers.ts'
import type { Media } from './files/media.ts'
import type { StoredFiles } from './files/stored-files.ts'
import type { Limits } from './limits/limits.ts'
import type { RenderInvoice } from './invoices/document.ts'
import type { Links } from './links.ts'
import type { MailKeys } from './mail/mail-keys.ts'
import type { Mailer, WatchedMail } from './mail/mailer.ts'
import type { MoneyByHand } from './money-by-hand.ts'
import type { Outside } from './outside.ts'
import type { PaymentServices } from './payments.ts'
import type { PersonalData } from './personal/personal-data.ts'
import type { ReferencePort } from './reference.ts'
import type { HttpGuards } from './register.ts'
import type { SecurityLog } from './security/security-log.ts'
import type { ServiceCredentials } from './security/service-credentials.ts'
import type { People } from './sessions/people.ts'
import type { ApiKeys } from './sessions/api-keys.ts'
import type { SecondFactor } from './sessions/second-factor.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Stops } from './stops.ts'
import type { WhiteLabels } from './white-labels.ts'

export { READ_TIMEOUT_MS } from './behind.ts'

/** What every area gets, in each process: storage, commands, and the services that two areas or more use. */
export type Kit = {
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly stops: Stops
  readonly db: Kysely<Db>
  readonly store: EventStore
  /** Whether the log is there; null for one in the database. */
  readonly log: Outside | null
  /** Delivered facts: the only source of every figure. */
  readonly facts: FactStore
  /** Services outside that may be away while the product runs. */
  readonly outside: readonly Pick<Outside, 'name' | 'isAway'>[]
  readonly mailer: Mailer
  /** Whether mails can leave now. */
  readonly mail: WatchedMail
  /** Keys in the links of mails. */
  readonly mailKeys: MailKeys
  /** Addresses of the application's pages. */
  readonly links: Links
  /** Payments by card. */
  readonly payments: PaymentServices
  readonly inbox: DeliveryPort['inbox']
  readonly settlements: DeliveryPort['settlements']
  readonly invoices: {
    /** Charges for delivery, as invoices take them. */
    readonly charges: InvoiceCharges
    /** The document as a PDF. */
    readonly render: RenderInvoice
  }
  /** Events that advertisers report. */
  readonly tracked: {
    readonly log: TrackedEvents
    readonly reads: EventReads
    readonly keys: PixelKeys
    /** Campaigns of a space that hold one of these names. */
    readonly campaignsNamed: (spaceId: string, names: readonly string[]) => Promise<readonly string[]>
  }
  /** Members of audiences, and files on their way to them. */
  readonly audiences: AudienceStores
  readonly projector: Pick<Projector, 'reached'>
  /** Waits for read models; throws when they stay behind. */
  readonly caughtUp: CatchUp
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  readonly newId: () => string
  /** A deterministic id: of a stream from its command, of a policy's command from its cause. */
  readonly derivedId: (...parts: readonly string[]) => string
  readonly commands: {
    readonly campaigns: CampaignCommands
    readonly accounts: AccountCommands
    readonly audiences: AudienceCommands
    readonly whiteLabels: WhiteLabelCommands
    readonly registrations: RegistrationCommands
    readonly payments: PaymentCommands
    readonly invoices: InvoiceCommands
  }
  readonly campaignPort: CampaignPort
  readonly accounts: Accounts
  readonly people: People & PeoplePort
  readonly files: StoredFiles
  readonly media: Media
  readonly reference: ReferencePort
  /** The rule of the second person. */
  readonly byHand: MoneyByHand
  /** Every white-label, by id and by host. */
  readonly whiteLabels: WhiteLabels
  /** Whether a lower-case text is a widely used password. */
  readonly isCommonPassword: (text: string) => boolean
  /** The place of a campaign, from the log itself: correct right after its creation; null for an unknown id. */
  readonly placeOf: (campaignId: string) => Promise<Place | null>
}

/** What areas get in a process that serves HTTP. */
export type HttpKit = Kit & {
  readonly guards: HttpGuards
  readonly limits: Limits
  readonly personal: PersonalData
  readonly sessions: Sessions
  readonly secondFactor: SecondFactor
  readonly apiKeys: ApiKeys
  readonly security: SecurityLog
  readonly credentials: ServiceCredentials
  readonly deliveries: Deliveries
  /** A keyed hash, for limits and security events that must not contain a plain address. */
  readonly fingerprint: (text: string) => string
}
