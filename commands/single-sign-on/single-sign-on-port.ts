import type { Claims, Known, ProviderPower, SignOnRefusal } from '#domain/single-sign-on/admission'

/** An identity provider of a white-label, as its settings say. */
export type Provider = ProviderPower & {
  readonly id: string
  readonly whitelabelId: string
  readonly name: string
  readonly issuer: string
  /** Null for a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
  readonly scopes: readonly string[]
  /** Changes with the settings. */
  readonly version: string
}

/** Secrets of a sign-in that only this browser and the provider's answer know. */
export type Secrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** User who signed in at a provider. */
export type Identified = Claims & {
  /** Where a sign-out ends the session at the provider too; null where it offers none. */
  readonly signOut: SignOut | null
  /** The session at the provider, by which it says that it ended; null where it names none. */
  readonly session: string | null
}
/** A session at a provider that ended, or with null all of the person. */
export type LoggedOut = {
  readonly subject: string | null
  readonly session: string | null
  /** Sessions that began after this instant go on. */
  readonly before: string
}
export type SignOut = { readonly endpoint: string; readonly clientId: string; readonly idToken: string | null }

/** A provider refused, or its answer proves nothing; `detail` is for the operator's log and holds no secret. */
export class SignOnFault extends Error {
  readonly reason: Extract<SignOnRefusal, 'away' | 'declined' | 'invalid'>
  constructor(reason: SignOnFault['reason'], detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = 'SignOnFault'
    this.reason = reason
  }
}

/** OpenID Connect towards a provider. Each function throws SignOnFault. */
export type OpenId = {
  /** The address at the provider that a browser is sent to. */
  readonly authorizationUrl: (provider: Provider, redirectUri: string, secrets: Secrets) => Promise<string>
  /** Exchanges the code of a callback, and checks the ID token in full. `callback` is the address with its query. */
  readonly identify: (provider: Provider, callback: URL, secrets: Secrets) => Promise<Identified>
  /** Issuer and audience that a token names, before anything of it is proved; null for a text that is no token. */
  readonly claimedIn: (token: string) => { readonly issuer: string; readonly audience: readonly string[] } | null
  /** End of sessions that a token proves which the provider sent by itself. */
  readonly loggedOut: (provider: Provider, token: string) => Promise<LoggedOut>
  /** Reads the provider's discovery document as it is now. */
  readonly check: (provider: Provider) => Promise<void>
}

export type Attempt = { readonly providerId: string; readonly returnTo: string }
export type Passed = Attempt & { readonly personId: string } & Pick<Identified, 'signOut' | 'session'>

/** Sign-ins under way, and links. Keys are given in plain and stored as hashes. */
export type SignOnStore = {
  /** The provider, while it is switched on. */
  readonly enabled: (whitelabelId: string, id: string) => Promise<Provider | null>
  readonly verifiedDomains: (providerId: string) => Promise<readonly string[]>
  readonly begin: (state: string, browser: string, attempt: Attempt) => Promise<void>
  /** Ends an attempt; null when it is over or belongs to another browser. */
  readonly take: (state: string, browser: string) => Promise<Attempt | null>
  readonly pass: (code: string, browser: string, passed: Passed) => Promise<void>
  readonly redeem: (code: string, browser: string) => Promise<Passed | null>
  readonly linked: (providerId: string, subject: string) => Promise<Person | null>
  readonly ofAddress: (whitelabelId: string, email: string) => Promise<Person | null>
  /** Records who set up the provider and domain that made a person. */
  readonly made: (person: Person, provider: Provider, domain: string | null) => Promise<void>
  /** Whether a subject of some provider is linked to the person. */
  readonly hasLink: (personId: string) => Promise<boolean>
  /** Links a subject to a person; false when one is linked already. */
  readonly link: (providerId: string, subject: string, personId: string) => Promise<boolean>
}

/** A person as a sign-in needs them. */
export type Person = Known & { readonly whitelabelId: string; readonly spaceId: string }
