import { ROLES } from '#domain/kit/access'
import { isShownName } from '#domain/kit/validators'
import { SENTENCES } from '#domain/kit/faults'
import { endpoint, named, position } from './http.ts'
import { signed } from './session.ts'
import { z } from './zod.ts'

/** Single sign-on by OpenID Connect (fine print 84): its settings of a white-label, and signing in by it. */

const customise = { access: 'whitelabel.customise', reads: [] } as const
const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most))
const roles = z.array(z.enum(ROLES)).check(z.maxLength(ROLES.length))
const mapping = z.array(z.object({ value: text(200), roles: roles.check(z.minLength(1)) })).check(z.maxLength(50))

const settings = {
  name: text(60).check(z.refine(isShownName, SENTENCES.shownName)).check(z.describe('As the sign-in page shows it')),
  issuer: text(500).check(z.describe('Its discovery document is below it, at /.well-known/openid-configuration')),
  client_id: text(300),
  scopes: z
    .array(z.string().check(z.regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/)))
    .check(z.maxLength(20), z.describe('Beside openid')),
  trusts_addresses: z
    .boolean()
    .check(
      z.describe(
        'Addresses count as verified where the provider does not say whether they are; one that it calls unverified never does',
      ),
    ),
  default_space_id: z
    .nullable(z.string().check(z.minLength(1), z.maxLength(100)))
    .check(z.describe('The account of people without a record; null refuses them')),
  default_roles: roles,
  role_claim: z.nullable(text(200)).check(z.describe('Name of the claim with roles or groups, or its path with dots')),
  role_mapping: mapping.check(z.describe('Applied at each sign-in; see roles_follow_claim for values that are not named')),
  enabled: z.boolean(),
}

export const provider = named(
  'SignOnProvider',
  z.object({
    id: z.string(),
    ...settings,
    roles_follow_claim: z.boolean(),
    has_secret: z.boolean(),
    domains: z.number().check(z.describe('That are verified')),
  }),
)
export type SignOnProvider = z.output<typeof provider>

export const domain = named(
  'SignOnDomain',
  z.object({
    domain: z.string(),
    provider_id: z.string(),
    record: z.string().check(z.describe('The TXT record of the domain that verifies it')),
    verified_at: z.nullable(z.string()),
    password_allowed: z.boolean(),
    waits: z.boolean().check(z.describe('For a second person, before it can be verified')),
  }),
)
export type SignOnDomain = z.output<typeof domain>

const all = z.object({
  callback_url: z.string().check(z.describe('The redirect address to enter at the provider')),
  sign_out_url: z.string().check(z.describe('The address after a sign-out to enter at the provider')),
  back_channel_url: z.string().check(z.describe('Where a provider says that a session ended; enter it at the provider')),
  house_space_id: z.nullable(z.string()).check(z.describe('The account of the staff')),
  providers: z.array(provider),
  domains: z.array(domain),
})
export type SingleSignOn = z.output<typeof all>

/** Command that waits for a second person in place of being done (fine print 87); null when it was done. */
export const approval_id = z.nullable(z.string())

const ofLabel = z.object({ id: z.string() })
const ofProvider = z.object({ id: z.string(), provider: z.string() })
const ofDomain = z.object({ id: z.string(), domain: z.string() })
const sent = z.object({
  ...settings,
  roles_follow_claim: z
    .optional(z.boolean())
    .check(
      z.describe(
        'People whom the claim no longer names get the default roles, or are refused; off: they keep their roles. Absent: on for a new provider, else as before',
      ),
    ),
  client_secret: z.optional(
    z
      .nullable(z.string().check(z.minLength(1), z.maxLength(2000)))
      .check(z.describe('Never answered. Absent keeps the one that is stored; null is a public client')),
  ),
})
export type SentProvider = z.output<typeof sent>

export const readSingleSignOn = endpoint({
  ...customise,
  id: 'signOn.get',
  method: 'GET',
  path: '/v1/whitelabel/:id/sign-on',
  summary: 'Identity providers and mail domains of a white-label, without secrets',
  params: ofLabel,
  output: named('SingleSignOn', all),
})

export const addProvider = endpoint({
  ...customise,
  id: 'signOn.addProvider',
  method: 'POST',
  path: '/v1/whitelabel/:id/sign-on/providers',
  stepUp: 'session',
  summary: 'Add an identity provider; at most five',
  params: ofLabel,
  body: 'json',
  input: sent,
  output: z.object({ id: z.string(), approval_id, position }),
  write: true,
})

export const changeProvider = endpoint({
  ...customise,
  id: 'signOn.changeProvider',
  method: 'PUT',
  path: '/v1/whitelabel/:id/sign-on/providers/:provider',
  stepUp: 'session',
  summary: 'Replace the settings of an identity provider',
  params: ofProvider,
  body: 'json',
  input: sent,
  output: z.object({ approval_id, position }),
  write: true,
})

export const removeProvider = endpoint({
  ...customise,
  id: 'signOn.removeProvider',
  method: 'DELETE',
  path: '/v1/whitelabel/:id/sign-on/providers/:provider',
  stepUp: 'session',
  summary: 'Remove an identity provider with its domains and links; passwords work again there',
  params: ofProvider,
  output: z.object({ position }),
  write: true,
})

export const checkProvider = endpoint({
  ...customise,
  id: 'signOn.checkProvider',
  leaves: true,
  method: 'POST',
  path: '/v1/whitelabel/:id/sign-on/providers/:provider/check',
  summary: "Read the provider's discovery document now, and answer what came of it",
  params: ofProvider,
  output: named('SignOnCheck', z.object({ works: z.boolean(), reason: z.nullable(z.enum(['away', 'declined', 'invalid'])) })),
})

export const addDomain = endpoint({
  ...customise,
  id: 'signOn.addDomain',
  method: 'POST',
  path: '/v1/whitelabel/:id/sign-on/domains',
  stepUp: 'session',
  summary: 'Bind a mail domain to a provider; it counts once it is verified. At most twenty',
  params: ofLabel,
  body: 'json',
  input: z.object({ domain: text(253), provider_id: z.string().check(z.maxLength(100)) }),
  output: z.object({ domain, approval_id, position }),
  write: true,
})

export const verifyDomain = endpoint({
  ...customise,
  id: 'signOn.verifyDomain',
  method: 'POST',
  path: '/v1/whitelabel/:id/sign-on/domains/:domain/verify',
  stepUp: 'session',
  summary: 'Look for the TXT record of a domain, and answer whether it is verified',
  params: ofDomain,
  output: z.object({ verified: z.boolean(), approval_id, position }),
  write: true,
})

export const changeDomain = endpoint({
  ...customise,
  id: 'signOn.changeDomain',
  method: 'PUT',
  path: '/v1/whitelabel/:id/sign-on/domains/:domain',
  stepUp: 'session',
  summary: 'Bind a domain to another provider, or switch its passwords off or on; off needs a verified domain',
  params: ofDomain,
  body: 'json',
  input: z.object({ provider_id: z.string().check(z.maxLength(100)), password_allowed: z.boolean() }),
  output: z.object({ approval_id, position }),
  write: true,
})

export const removeDomain = endpoint({
  ...customise,
  id: 'signOn.removeDomain',
  method: 'DELETE',
  path: '/v1/whitelabel/:id/sign-on/domains/:domain',
  stepUp: 'session',
  summary: 'Remove a mail domain; people who are linked already stay linked',
  params: ofDomain,
  output: z.object({ position }),
  write: true,
})

const open = { access: 'public', reads: [] } as const
/** A page of the application: a path that no browser reads as another host. */
const ownPage = z.string().check(z.regex(/^\/(?![/\\])[\x21-\x7e]*$/), z.maxLength(2000))

export const signOnOffers = endpoint({
  ...open,
  id: 'session.signOnOffers',
  method: 'GET',
  path: '/v1/oauth/sign-on',
  summary: 'Identity providers that the sign-in page offers, and the one that an address has to use where passwords are off',
  query: z.object({ domain: z.optional(z.string().check(z.maxLength(300), z.describe('The mail domain of the address'))) }),
  output: named(
    'SignOnOffers',
    z.object({ providers: z.array(z.object({ id: z.string(), name: z.string() })), required: z.nullable(z.string()) }),
  ),
})

export const startSignOn = endpoint({
  ...open,
  id: 'session.startSignOn',
  method: 'GET',
  path: '/v1/oauth/sign-on/start/:id',
  summary: 'Lead the browser to an identity provider, 303; `to` is the page to open afterwards',
  params: z.object({ id: z.string() }),
  query: z.object({ to: z.optional(z.catch(ownPage, '/')) }),
  output: z.unknown(),
  raw: true,
  redirects: true,
})

export const finishSignOn = endpoint({
  ...open,
  id: 'session.finishSignOn',
  method: 'GET',
  path: '/v1/oauth/sign-on/callback',
  summary: 'Where identity providers send browsers back to, 303 to the sign-in page with a code in the fragment, or a reason',
  query: z.object({
    state: z.optional(z.string().check(z.maxLength(500))),
    code: z.optional(z.string().check(z.maxLength(8000))),
    iss: z.optional(z.string().check(z.maxLength(2000))),
    error: z.optional(z.string().check(z.maxLength(500))),
  }),
  output: z.unknown(),
  raw: true,
  redirects: true,
})

export const redeemSignOn = endpoint({
  ...open,
  id: 'session.redeemSignOn',
  method: 'POST',
  path: '/v1/oauth/sign-on',
  summary: 'Exchange the code of a finished sign-in for tokens: once, within a minute, in the browser that began it',
  body: 'json',
  input: z.object({ code: z.string().check(z.minLength(1), z.maxLength(100)) }),
  output: z.extend(signed, { to: z.string().check(z.describe('The page to open')) }),
  secret: true,
  session: 'opens',
})

export const endSignOn = endpoint({
  ...open,
  id: 'session.endSignOn',
  method: 'POST',
  path: '/v1/oauth/sign-on/back-channel',
  summary: 'Where identity providers say that a session ended (OpenID Connect Back-Channel Logout 1.0); ends it here within 5 s',
  body: 'form',
  input: z.object({ logout_token: z.string().check(z.minLength(1), z.maxLength(16_000)) }),
  output: z.object({ ended: z.number().check(z.describe('People whose sessions ended')) }),
  secret: true,
})

/** `data` of the refusal 164: the provider that stands in place of the password. */
export const passwordOff = z.object({ sign_on: z.object({ id: z.string(), name: z.string() }) })

export const SINGLE_SIGN_ON_ENDPOINTS = [
  readSingleSignOn,
  addProvider,
  changeProvider,
  removeProvider,
  checkProvider,
  addDomain,
  verifyDomain,
  changeDomain,
  removeDomain,
  signOnOffers,
  startSignOn,
  finishSignOn,
  redeemSignOn,
  endSignOn,
]
