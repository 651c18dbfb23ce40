import type { Approval } from '#contract/approvals'
import { PROVIDER_POWER, type ProviderPower } from '#domain/single-sign-on/admission'
import { PAID_BY, type Invoicing } from '#domain/white-label/invoicing'
import type { ApprovalEntry } from '#platform/approvals/second-person'

/** Settings as they are now. */
export type Present = {
  readonly power: (whitelabelId: string, providerId: string) => Promise<ProviderPower | null>
  readonly providerOf: (whitelabelId: string, domain: string) => Promise<string | null>
}
type All = Present & { readonly invoicingOf: (whitelabelId: string) => Invoicing }
type Changes = Approval['changes']

/** Changes that the command would make, for the user who has to judge them. */
export async function changesIn({ command, whitelabelId }: ApprovalEntry, present: All): Promise<Changes> {
  if (command.kind === 'invoicing') {
    const now = present.invoicingOf(whitelabelId)
    return PAID_BY.flatMap((field) => between(field, now[field], command.invoicing[field] ?? now[field]))
  }
  if (command.kind === 'sign_on_provider') {
    const now = await present.power(whitelabelId, command.provider_id)
    const [before, after] = [now === null ? null : textsOf(now), textsOf(command.power)]
    return PROVIDER_POWER.flatMap((field) => between(field, before?.[field] ?? '', after[field]))
  }
  if (command.kind !== 'sign_on_domain') return []
  return between('provider_id', (await present.providerOf(whitelabelId, command.domain)) ?? '', command.provider_id)
}

const between = (field: Changes[number]['field'], from: string, to: string): Changes => (from === to ? [] : [{ field, from, to }])

const textsOf = (power: ProviderPower): Readonly<Record<(typeof PROVIDER_POWER)[number], string>> => ({
  client_id: power.clientId,
  trusts_addresses: String(power.trustsAddresses),
  default_space_id: power.defaultSpaceId ?? '',
  default_roles: power.defaultRoles.join(', '),
  role_claim: power.roleClaim ?? '',
  role_mapping: power.roleMapping.map(({ value, roles }) => `${value} = ${roles.join(', ')}`).join('\n'),
  roles_follow_claim: String(power.followsClaim),
  enabled: String(power.enabled),
})
