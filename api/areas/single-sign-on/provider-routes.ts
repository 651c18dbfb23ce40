import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SignOnFault, type OpenId, type Provider } from '#commands/single-sign-on/single-sign-on-port'
import type { KeyChange } from '#commands/identity/mails/keys-changed'
import { refused } from '#commands/refused'
import * as contract from '#contract/single-sign-on'
import { rolesOfTeam } from '#domain/account/team'
import type { Role } from '#domain/kit/access'
import type { Fault } from '#domain/kit/errors'
import { NO_POWER, widens, type ProviderPower } from '#domain/single-sign-on/admission'
import { isVerifiedBy, mailDomain, MOST_DOMAINS, MOST_PROVIDERS, verificationRecord } from '#domain/single-sign-on/domains'
import { houseOf } from '#projections/account/accounts'
import type { WayInCommand } from '#platform/approvals/second-person'
import type { DomainRow, ProviderSettings } from '#platform/single-sign-on/provider-store'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { backChannelUrl, callbackUrl, signOutUrl } from './callback.ts'
import { createLabelOf } from './own-white-label.ts'
import type { Served } from '#api/areas/services'

export type ProviderRouteDeps = {
  readonly openId: Pick<OpenId, 'check'>
  readonly resolveTxt: (domain: string) => Promise<readonly (readonly string[])[]>
  /** Fault of an address before anything is resolved; null for a valid one. */
  readonly issuerFault: (url: string) => string | null
}

/** Requests that leave the product for an owner, by white-label. */
const CHECKS = { limit: 60, seconds: 3600 }

const fault = (path: string, message: string, key?: string): Fault => ({
  path,
  code: 2,
  message,
  ...(key === undefined ? {} : { key }),
})

/** Settings of single sign-on (fine print 84). A white-label, provider or domain out of reach is as unknown as one that does not exist. */
export function registerProviderRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'db' | 'limits' | 'links' | 'secondPerson' | 'signOn' | 'whiteLabels'>,
  deps: ProviderRouteDeps,
): void {
  const { accounts, db, guards, limits, links, newId, secondPerson, signOn, whiteLabels } = kit
  const { providers } = signOn
  const labelOf = createLabelOf(whiteLabels)

  async function providerOf(label: string, id: string): Promise<Provider> {
    const provider = await providers.find(label, id)
    if (provider === null) throw refused(131)
    return provider
  }

  async function domainOf(label: string, name: string): Promise<DomainRow> {
    const found = await providers.domain(label, mailDomain(name) ?? '')
    if (found === null) throw refused(131)
    return found
  }

  const reserveCheck = (label: string) => limits.reserve([{ key: `single sign-on checks of ${label}`, ...CHECKS }])

  /** Returns the sent settings when they are valid; refuses them with every fault. */
  async function settingsOf(label: string, sent: contract.SentProvider, before: Provider | null): Promise<ProviderSettings> {
    const faults: Fault[] = []
    const issuer = deps.issuerFault(sent.issuer)
    if (issuer !== null) faults.push(fault('issuer', issuer, 'signOn.issuer'))
    else if (/[?#]|\/\.well-known\//.test(sent.issuer))
      faults.push(fault('issuer', 'The address of the provider itself, without its discovery document', 'signOn.issuer'))
    const mapped = sent.role_mapping.flatMap(({ roles }) => roles)
    if (mapped.includes('SYSTEM_ADMIN'))
      faults.push(fault('role_mapping', 'No provider makes system administrators', 'signOn.roles'))
    if (sent.role_claim === null && mapped.length > 0)
      faults.push(fault('role_claim', 'Name the claim whose values are mapped', 'signOn.claim'))
    faults.push(...(await defaultFaults(label, sent)))
    if (faults.length > 0) throw refused(2, faults)
    return {
      name: sent.name,
      issuer: sent.issuer,
      clientId: sent.client_id,
      clientSecret: sent.client_secret,
      scopes: [...new Set(sent.scopes)],
      trustsAddresses: sent.trusts_addresses,
      defaultSpaceId: sent.default_space_id,
      defaultRoles: sent.default_space_id === null ? [] : sent.default_roles,
      roleClaim: sent.role_claim,
      roleMapping: sent.role_mapping,
      followsClaim: sent.roles_follow_claim ?? before?.followsClaim ?? true,
      enabled: sent.enabled,
    }
  }

  /** The id under which a new way in waits, where roles need a second person; null where they do not. */
  async function waiting(
    call: Parameters<typeof personOf>[0],
    label: string,
    command: () => WayInCommand,
  ): Promise<string | null> {
    if (!(await secondPerson.asksForRoles(label))) return null
    const asked = { id: newId(), whitelabelId: label, spaceId: null, userId: personOf(call).userId, command: command() }
    const id = await secondPerson.askOnce(asked)
    if (id === null) throw refused(134)
    return id
  }
  const mailOthers = (call: Parameters<typeof personOf>[0], whitelabelId: string, what: KeyChange, fields: string) =>
    secondPerson.mailOthers({ id: newId(), whitelabelId, what, by: [personOf(call).userId], fields })
  const powerCommand = (id: string, settings: ProviderSettings): WayInCommand => ({
    kind: 'sign_on_provider',
    provider_id: id,
    name: `${settings.name} (${settings.issuer})`,
    power: powerOf(settings),
    comment: '',
  })

  async function defaultFaults(label: string, { default_space_id: id, default_roles }: contract.SentProvider): Promise<Fault[]> {
    if (id === null) return []
    const account = await accounts.opened(id)
    if (account === null || account.whitelabel_id !== label)
      return [fault('default_space_id', 'The white-label has no such account', 'signOn.account')]
    const known: readonly Role[] = rolesOfTeam(account.house).filter((role) => role !== 'SYSTEM_ADMIN')
    const areKnown = default_roles.length > 0 && default_roles.every((role) => known.includes(role))
    return areKnown ? [] : [fault('default_roles', 'Choose roles that people of this account may have', 'signOn.roles')]
  }

  register(app, guards, contract.readSingleSignOn, async (call) => {
    const label = labelOf(call)
    const [list, domains, house] = await Promise.all([providers.list(label), providers.domains(label), houseOf(db, label)])
    const origin = links.originOf(label)
    return {
      callback_url: callbackUrl(origin),
      sign_out_url: signOutUrl(origin),
      back_channel_url: backChannelUrl(origin),
      house_space_id: house,
      providers: list.map((one) => providerOut(one, domains)),
      domains: domains.map(domainOut),
    }
  })

  register(app, guards, contract.addProvider, async (call) => {
    const label = labelOf(call)
    const settings = await settingsOf(label, call.body, null)
    const id = newId()
    const full = () => refused(2, [fault('name', `A white-label has ${MOST_PROVIDERS} providers at most`, 'signOn.providers')])
    if ((await providers.list(label)).length >= MOST_PROVIDERS) throw full()
    const none = { ...settings, ...NO_POWER }
    const approval_id = widens(none, settings) ? await waiting(call, label, () => powerCommand(id, settings)) : null
    const created = approval_id === null ? settings : none
    if (!(await providers.create(id, label, personOf(call).userId, created))) throw full()
    if (approval_id === null) await mailOthers(call, label, 'sign_on_provider', settings.name)
    return { id, approval_id }
  })
  register(app, guards, contract.changeProvider, async (call) => {
    const label = labelOf(call)
    const before = await providerOf(label, call.params.provider)
    const { id, issuer } = before
    const settings = await settingsOf(label, call.body, before)
    // The same subject is another person elsewhere, and the secret must not go to another server.
    if (settings.issuer !== issuer)
      throw refused(2, [fault('issuer', 'The issuer of a provider stays. Add another provider', 'signOn.issuerStays')])
    const isWider = widens(before, settings)
    const approval_id = isWider ? await waiting(call, label, () => powerCommand(id, settings)) : null
    const changed = approval_id === null ? settings : { ...settings, ...powerOf(before) }
    const by = isWider && approval_id === null ? personOf(call).userId : null
    if (!(await providers.change(label, id, changed, by))) throw refused(131)
    if (!changed.enabled) await secondPerson.withdrawOrigin(id)
    if (by !== null) await mailOthers(call, label, 'sign_on_provider', settings.name)
    return { approval_id }
  })
  register(app, guards, contract.removeProvider, async (call) => {
    const { provider } = call.params
    if (!(await providers.remove(labelOf(call), provider))) throw refused(131)
    await secondPerson.withdrawOrigin(provider)
    return {}
  })
  register(app, guards, contract.checkProvider, async (call) => {
    const label = labelOf(call)
    const provider = await providerOf(label, call.params.provider)
    await reserveCheck(label)
    const reason = await deps.openId.check(provider).then(
      () => null,
      (error: unknown) => {
        if (error instanceof SignOnFault) return error.reason
        throw error
      },
    )
    return { works: reason === null, reason }
  })

  register(app, guards, contract.addDomain, async (call) => {
    const label = labelOf(call)
    const name = mailDomain(call.body.domain)
    if (name === null) throw refused(2, [fault('domain', 'A mail domain, such as example.com', 'signOn.domain')])
    const provider = await providers.find(label, call.body.provider_id)
    if (provider === null) throw refused(2, [fault('provider_id', 'The white-label has no such provider', 'signOn.provider')])
    const approved = !(await secondPerson.asksForRoles(label))
    const [token, by] = [randomBytes(16).toString('hex'), personOf(call).userId]
    const added = await providers.addDomain(label, name, { providerId: provider.id, token, by, approved })
    if (added === 'taken') throw refused(2, [fault('domain', 'The domain is there already', 'signOn.domainTaken')])
    if (added === 'full')
      throw refused(2, [fault('domain', `A white-label has ${MOST_DOMAINS} mail domains at most`, 'signOn.domains')])
    const approval_id = approved ? null : await waiting(call, label, () => domainCommand(name, provider.id, token))
    if (approved) await mailOthers(call, label, 'sign_on_domain', name)
    return { domain: domainOut(await domainOf(label, name)), approval_id }
  })
  register(app, guards, contract.verifyDomain, async (call) => {
    const label = labelOf(call)
    const { domain, token, verified_at, approved, provider_id } = await domainOf(label, call.params.domain)
    if (verified_at !== null) return { verified: true, approval_id: null }
    if (!approved) return { verified: false, approval_id: null }
    // One that was added before the rule waits too.
    const command = domainCommand(domain, provider_id, token)
    const isConfirmed = await secondPerson.isConfirmed(label, command)
    const approval_id = isConfirmed ? null : await waiting(call, label, () => command)
    if (approval_id !== null) return { verified: false, approval_id }
    await reserveCheck(label)
    if (!isVerifiedBy(await deps.resolveTxt(domain), token)) return { verified: false, approval_id }
    await providers.verified(label, domain)
    return { verified: true, approval_id }
  })
  register(app, guards, contract.changeDomain, async (call) => {
    const label = labelOf(call)
    const { domain, token, provider_id: present } = await domainOf(label, call.params.domain)
    const { provider_id, password_allowed: passwordAllowed } = call.body
    const provider = await providers.find(label, provider_id)
    if (provider === null) throw refused(2, [fault('provider_id', 'The white-label has no such provider', 'signOn.provider')])
    const isNew = provider.id !== present
    const approval_id = isNew ? await waiting(call, label, () => domainCommand(domain, provider.id, token)) : null
    const by = isNew && approval_id === null ? personOf(call).userId : null
    const change = { providerId: approval_id === null ? provider.id : present, passwordAllowed, by }
    if (!(await providers.changeDomain(label, domain, change)))
      throw refused(2, [fault('password_allowed', 'Verify the domain first', 'signOn.unverified')])
    if (by !== null) await mailOthers(call, label, 'sign_on_domain', domain)
    return { approval_id }
  })
  register(app, guards, contract.removeDomain, async (call) => {
    const label = labelOf(call)
    const { domain } = await domainOf(label, call.params.domain)
    if (!(await providers.removeDomain(label, domain))) throw refused(131)
    return {}
  })
}

const domainCommand = (domain: string, provider_id: string, token: string): WayInCommand => ({
  kind: 'sign_on_domain',
  domain,
  provider_id,
  token,
  comment: '',
})

const powerOf = (settings: ProviderPower): ProviderPower => ({
  clientId: settings.clientId,
  trustsAddresses: settings.trustsAddresses,
  defaultSpaceId: settings.defaultSpaceId,
  defaultRoles: settings.defaultRoles,
  roleClaim: settings.roleClaim,
  roleMapping: settings.roleMapping,
  followsClaim: settings.followsClaim,
  enabled: settings.enabled,
})

/** The provider without its secret. */
const providerOut = (one: Provider, domains: readonly DomainRow[]): contract.SignOnProvider => ({
  id: one.id,
  name: one.name,
  issuer: one.issuer,
  client_id: one.clientId,
  has_secret: one.clientSecret !== null,
  scopes: [...one.scopes],
  trusts_addresses: one.trustsAddresses,
  default_space_id: one.defaultSpaceId,
  default_roles: [...one.defaultRoles],
  role_claim: one.roleClaim,
  role_mapping: one.roleMapping.map(({ value, roles }) => ({ value, roles: [...roles] })),
  roles_follow_claim: one.followsClaim,
  enabled: one.enabled,
  domains: domains.filter(({ provider_id, verified_at }) => provider_id === one.id && verified_at !== null).length,
})

const domainOut = ({
  domain,
  provider_id,
  token,
  verified_at,
  password_allowed,
  approved,
}: DomainRow): contract.SignOnDomain => ({
  domain,
  provider_id,
  record: verificationRecord(token),
  verified_at,
  password_allowed,
  waits: !approved,
})
