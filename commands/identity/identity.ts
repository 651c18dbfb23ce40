import type { Actor } from '#domain/kit/access'
import type { ApiScope } from '#domain/kit/api-scopes'

/** Identity that an exchange or bidder may act as. */
export type ServiceCredential = {
  readonly id: string
  readonly whitelabelId: string
  readonly kind: 'exchange' | 'bidder'
  /** The exchange that it can decide for; null for a bidder. */
  readonly exchange: string | null
}

/** A directory of a white-label's organisation, which creates and removes people of its staff by SCIM. */
export type DirectoryToken = { readonly id: string; readonly whitelabelId: string }

/** The caller of a request: a user, an exchange or bidder, a directory, or anonymous. */
export type Identity =
  | {
      readonly kind: 'person'
      readonly actor: Actor
      /** The session of the access token, and the credentials version that it was issued under. */
      readonly session: { readonly id: string; readonly version: number }
      /** Scopes of an API key. Undefined for a session, which may do everything that its user may. */
      readonly scopes?: readonly ApiScope[]
      /** The white-label requires a second factor of its staff, and this user has none: only calls to set one up are open. */
      readonly restricted?: boolean
      /** The caller's address is in none of the networks that the white-label lets its staff work from: no call is open. */
      readonly outside?: boolean
    }
  | {
      readonly kind: 'service'
      /** Null: the service token of the installation, which may act for everyone. */
      readonly credential: ServiceCredential | null
    }
  | { readonly kind: 'directory'; readonly token: DirectoryToken }
  | { readonly kind: 'anonymous' }
