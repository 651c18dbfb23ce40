import type { InvoiceParties } from '#platform/invoice/invoice-parties'
import type { Language } from '#domain/kit/languages'
import type { MailTemplate } from '#commands/mail/template'
import type { Attachment } from '#commands/mail/mailer'
import type { QueueMail } from '#commands/mail/mail-queue'
import type { Notify } from '#commands/notifications/notify'
import type { WhiteLabels } from '#commands/white-label/white-labels'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Tracer } from '#eventstore/tracer'
import type { AccountCommands } from '#commands/account/account-commands'
import type { LedgerCommands } from '#commands/account/ledger-commands'
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
import type { Past } from '#projections/past/past'
import type { Projector } from '#projections/projector/projector'
import type { Config } from '../config.ts'
import type { Accounts } from '#projections/account/account-lookup'
import type { CatchUp } from '#projections/catch-up'
import type { Place } from '#domain/kit/access'
import type { Deliveries } from '#projections/campaign/list/deliveries'
import type { PeoplePort } from '#commands/identity/person'
import type { Media } from '#commands/files/media'
import type { StoredFiles } from '#platform/files/stored-files'
import type { Limits } from '#platform/limits/limits'
import type { RenderInvoice } from '#commands/invoice/document'
import type { Links } from './white-label/links.ts'
import type { MailKeys } from '#platform/mail/mail-keys'
import type { Mailer, WatchedMail } from '#commands/mail/mailer'
import type { DataKey } from '#platform/identity/data-key'
import type { SecondPerson } from '#platform/approvals/second-person'
import type { Outside } from '#commands/outside'
import type { RecentErrors } from '#commands/operations/recent-errors'
import type { ShippedPackage } from '#platform/operations/licences'
import type { RetryParked } from '#projections/projector/parked'
import type { Lag } from '#projections/projector/lag'
import type { PaymentServices } from '#commands/payment/payment-services'
import type { PersonalData } from '#commands/identity/personal-data'
import type { ReferencePort } from '#commands/reference/reference-port'
import type { HttpGuards } from '../http/register.ts'
import type { SecurityLog } from '#platform/identity/security-log'
import type { ServiceCredentials } from '#platform/identity/service-credentials'
import type { People } from '#platform/identity/people'
import type { ScimTokens } from '#platform/scim/scim-tokens'
import type { ApiKeys } from '#platform/identity/api-keys'
import type { Passkeys } from '#platform/identity/passkeys'
import type { SecondFactor } from '#platform/identity/second-factor'
import type { SignOnStores } from '#platform/single-sign-on/sign-on-store'
import type { Threads } from '#platform/threads/threads'
import type { Sessions } from '#platform/identity/sessions'
import type { Stops } from '../process/stops.ts'

/** Services of every area in every process. */
export type Core = {
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly stops: Stops
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  readonly newId: () => string
  /** A deterministic id: of a stream from its command, of a policy's command from its cause. */
  readonly derivedId: (...parts: readonly string[]) => string
}

/** Services of every area where HTTP is served: routes are registered with them. */
export type Http = { readonly guards: HttpGuards }

/** The write side of every subject. An area names those whose commands it executes, as `commands.campaigns`. */
export type Commands = {
  readonly campaigns: CampaignCommands
  readonly accounts: AccountCommands
  readonly ledgers: LedgerCommands
  readonly audiences: AudienceCommands
  readonly whiteLabels: WhiteLabelCommands
  readonly registrations: RegistrationCommands
  readonly payments: PaymentCommands
  readonly invoices: InvoiceCommands
}

/** Everything else: an area takes the few that it names. */
export type Services = {
  readonly db: Kysely<Db>
  /** Under which keys are stored. */
  readonly dataKey: DataKey
  /** Read models as they stood at a moment. */
  readonly past: Past
  readonly store: EventStore
  /** Spans of traces; does nothing without a collector. */
  readonly tracer: Tracer
  /** Whether the log is there; null for one in the database. */
  readonly log: Outside | null
  /** Delivered facts: the only source of every figure. */
  readonly facts: FactStore
  readonly projector: Pick<Projector, 'reached'>
  /** Waits for read models; throws when they stay behind. */
  readonly caughtUp: CatchUp
  /** Work that would keep the event loop from answering calls. */
  readonly threads: Threads
  readonly accounts: Accounts
  readonly people: People &
    PeoplePort & {
      /** Whether a lower-case text is a widely used password. */
      readonly isCommonPassword: (text: string) => boolean
    }
  /** Every white-label, by id and by host. */
  readonly whiteLabels: WhiteLabels
  /** Addresses of the application's pages. */
  readonly links: Links
  readonly files: StoredFiles
  readonly media: Media
  readonly reference: ReferencePort
  readonly campaigns: {
    /** Facts that decisions about campaigns need. */
    readonly port: CampaignPort
    /** The place of a campaign, from the log itself: correct right after its creation; null for an unknown id. */
    readonly placeOf: (campaignId: string) => Promise<Place | null>
  }
  /** Members of audiences, and files on their way to them. */
  readonly audiences: AudienceStores
  /** Payments by card. */
  readonly payments: PaymentServices
  readonly invoices: {
    /** Charges for delivery, as invoices take them. */
    readonly charges: InvoiceCharges
    /** The document as a PDF. */
    readonly render: RenderInvoice
    readonly parties: InvoiceParties
    /** The document of this id as a file; null while it is not issued. */
    readonly issuedFile: (id: string, language: Language) => Promise<Attachment | null>
  }
  readonly inbox: DeliveryPort['inbox']
  readonly settlements: DeliveryPort['settlements']
  /** Events that advertisers report. */
  readonly tracked: {
    readonly log: TrackedEvents
    readonly reads: EventReads
    readonly keys: PixelKeys
    /** Campaigns of a space that hold one of these names. */
    readonly campaignsNamed: (spaceId: string, names: readonly string[]) => Promise<readonly string[]>
    /** Addresses of the approved landing pages of a space: of so many campaigns, those that changed last. */
    readonly landingPages: (spaceId: string, campaigns: number) => Promise<readonly string[]>
  }
  /** The rule of the second person. */
  readonly secondPerson: SecondPerson
  /** The server of mails, and whether it takes them now. */
  readonly mail: WatchedMail & { readonly mailer: Mailer }
  /** Keys in the links of mails. */
  readonly mailKeys: MailKeys
  readonly queueMail: QueueMail
  /** Errors of this process, for operators. */
  readonly errors: RecentErrors
  /** Work that runs in every process, for operators. */
  readonly running: {
    /** Every kind of durable job. */
    readonly jobKinds: readonly string[]
    /** How far each read model is behind the log. */
    readonly lag: () => Promise<readonly Lag[]>
    readonly retryParked: RetryParked
    /** The packages that are shipped, by name. */
    readonly packages: () => readonly ShippedPackage[]
  }
  readonly notify: Notify
  /** Every mail of the product, by the name under which it is queued. */
  readonly templates: Readonly<Record<string, MailTemplate>>
}

/** The same where HTTP is served. */
export type WebServices = Services & {
  readonly limits: Limits
  /** A keyed hash, for limits and security events that must not contain a plain address. */
  readonly fingerprint: (text: string) => string
  readonly personal: PersonalData
  readonly sessions: Sessions
  readonly secondFactor: SecondFactor
  readonly passkeys: Passkeys
  /** Identity providers of white-labels, and sign-ins at them. */
  readonly signOn: SignOnStores
  readonly apiKeys: ApiKeys
  readonly security: SecurityLog
  readonly credentials: ServiceCredentials
  /** Tokens of directories. */
  readonly scimTokens: ScimTokens
  readonly deliveries: Deliveries
}
type CommandName = `commands.${keyof Commands}`
export type ServiceName = keyof WebServices | CommandName

type NamedCommands<K> = [Extract<K, CommandName>] extends [never]
  ? unknown
  : { readonly commands: Pick<Commands, K extends `commands.${infer Name extends keyof Commands}` ? Name : never> }

/** These and nothing else, for a part of an area. */
export type Needs<K extends keyof Core | keyof Http | ServiceName> = Pick<Core & Http & WebServices, Exclude<K, CommandName>> &
  NamedCommands<K>

/** Services that an area with these names gets for its policies, and for its routes. */
export type Own<K extends ServiceName> = Core & Needs<Exclude<K, Exclude<keyof WebServices, keyof Services>>>
export type Served<K extends ServiceName> = Core & Http & Needs<K>

/** Everything that is wired: for the roles, which hand each area its part, and for the demo. */
export type Wired = Core &
  Services & { readonly commands: Commands; readonly outside: readonly Pick<Outside, 'name' | 'isAway'>[] }
export type WiredForHttp = Wired & Http & WebServices
