import { isKeyChange } from '#commands/identity/mails/keys-changed'
import { actorNow } from '#commands/identity/actor-now'
import type { CommandContext } from '#domain/kit/event-metadata'
import { confirmingAmong, may, type Action } from '#domain/kit/access'
import { reject, type Rejection } from '#domain/kit/errors'
import type { Invoicing } from '#domain/white-label/invoicing'
import type { WhiteLabelSettings } from '#domain/white-label/white-label'
import { Refused } from '#commands/refused'
import type { Team } from '#commands/identity/team'
import type { Issuer } from '#commands/identity/team-command'
import type { TeamPlace } from '#commands/identity/team-port'
import type { Own } from '#api/areas/services'
import type { ResetBy, WhoLostFactor } from '#platform/identity/reset-second-factor'
import type { ProviderGrants } from '#platform/single-sign-on/provider-store'
import type { ScimTokens } from '#platform/scim/scim-tokens'
import type { ApprovalCommand, ApprovalEntry, RolesCommand } from '#platform/approvals/second-person'

/** `personId`: of who was invited. */
type Outcome = { readonly rejection: Rejection } | { readonly position: bigint; readonly personId?: string }

/** Commands that are carried out by other subjects than money and settings. */
export type CarriedOut = {
  readonly team: Team
  /** False when the person has no second factor. */
  readonly resetFactor: (who: WhoLostFactor, by: ResetBy) => Promise<boolean>
  readonly grants: ProviderGrants
  readonly scimTokens: Pick<ScimTokens, 'add' | 'list'>
  /** False for a person without a link. */
  readonly freeLinks: (personId: string) => Promise<boolean>
}

/** The right that a request needs, also at the moment when it is carried out. */
const ASKED_WITH: Readonly<Record<ApprovalCommand['kind'], Action>> = {
  credit: 'balance.credit',
  credit_note: 'invoice.write',
  credit_limit: 'account.manage',
  limit: 'whitelabel.customise',
  invoicing: 'whitelabel.customise',
  roles_alone: 'whitelabel.customise',
  invitation: 'team.manage',
  roles: 'team.manage',
  reactivation: 'team.manage',
  hand_over: 'team.manage',
  right: 'team.manage',
  second_factor: 'team.manage',
  sign_on_link: 'team.manage',
  confirming_roles: 'team.manage',
  sign_on_provider: 'whitelabel.customise',
  sign_on_domain: 'whitelabel.customise',
  directory_token: 'whitelabel.customise',
}

/** Carries out what a second person confirmed, in that person's name; once only by the id of what was asked for. */
export function createCarryOut(
  {
    accounts,
    secondPerson,
    commands,
    derivedId,
    now,
    people,
    store,
    whiteLabels,
  }: Own<
    | 'accounts'
    | 'commands.accounts'
    | 'commands.invoices'
    | 'commands.whiteLabels'
    | 'people'
    | 'secondPerson'
    | 'store'
    | 'whiteLabels'
  >,
  { team, resetFactor, grants, scimTokens, freeLinks }: CarriedOut,
) {
  /** Whether a directory's token or an identity provider is still there and switched on. */
  async function isInForce(whitelabelId: string, origin: string): Promise<boolean> {
    if ((await grants.present.power(whitelabelId, origin))?.enabled === true) return true
    return (await scimTokens.list(whitelabelId)).some(({ id }) => id === origin)
  }

  /**
   * The user who asked, with the power of now; null for those who may not ask any more. A directory or an identity provider has
   * no power, and may ask while it is in force: its last calls may come after the requests of before were withdrawn.
   */
  async function askerNow(
    { command, spaceId, userId, whitelabelId }: ApprovalEntry,
    context: CommandContext,
  ): Promise<Issuer | null> {
    if (userId.startsWith('system:')) {
      const origin = command.kind === 'confirming_roles' ? command.origin : undefined
      const isOver = origin !== undefined && !(await isInForce(whitelabelId, origin))
      return isOver ? null : { context, byAdministrator: false, askedBy: userId }
    }
    const place = spaceId ?? (await people.find(userId))?.home_space_id ?? ''
    const asker = await actorNow({ people, now }, userId, place)
    if (asker === null || !may(asker.actor, ASKED_WITH[command.kind], { whitelabelId, spaceId: place })) return null
    return { context, byAdministrator: asker.actor.roles.includes('SYSTEM_ADMIN'), askedBy: userId }
  }

  const head = async (done: boolean): Promise<Outcome> => (done ? { position: await store.head() } : { rejection: reject(134) })

  async function run(entry: ApprovalEntry, asker: Issuer): Promise<Outcome> {
    const { command, id, userId, whitelabelId } = entry
    const { context } = asker
    const spaceId = entry.spaceId ?? ''
    switch (command.kind) {
      case 'credit': {
        const { amount, comment: reason } = command
        const done = await commands.accounts.execute(spaceId, context, { type: 'CreditFunds', amount, reason, askedBy: userId })
        return done.kind === 'rejected' ? done : { position: done.position }
      }
      case 'credit_note': {
        const { amount, comment, invoice_id: invoiceId } = command
        const credit = { type: 'Credit', creditNoteId: id, amount, comment, by: userId } as const
        const done = await commands.invoices.execute(invoiceId, context, credit)
        if (done.kind === 'rejected') return done
        const finished = await commands.invoices.finish(invoiceId)
        return { position: finished?.position ?? done.position }
      }
      case 'credit_limit':
        return await commands.accounts.execute(spaceId, context, { type: 'SetCreditLimit', creditLimit: command.amount })
      case 'limit':
        return await changed(whitelabelId, context, { settings: { payment_approval_limit: command.limit } })
      case 'invoicing':
        return await changed(whitelabelId, context, { invoicing: command.invoicing })
      case 'roles_alone':
        return await changed(whitelabelId, context, { settings: { second_person_for_roles: false } })
      case 'second_factor': {
        const by = { by: context.actor, asked_by: userId, approval: id, comment: command.comment }
        return await head(await resetFactor({ personId: command.person_id, whitelabelId }, by))
      }
      case 'sign_on_provider':
        return await head(await grants.power(whitelabelId, command.provider_id, command.power, userId))
      case 'sign_on_domain':
        return await head(await grants.domain(whitelabelId, command.domain, command.provider_id, userId))
      case 'directory_token':
        return await head(await scimTokens.add(whitelabelId, userId, { id: command.token_id, hash: command.secret_hash }))
      case 'sign_on_link':
        return await head(await freeLinks(command.person_id))
      case 'confirming_roles':
      case 'invitation':
      case 'roles':
      case 'reactivation':
      case 'right':
      case 'hand_over':
        return await withRoles(entry, command, asker)
    }
  }

  type Changes = { readonly settings?: Partial<WhiteLabelSettings>; readonly invoicing?: Partial<Invoicing> }
  async function changed(whitelabelId: string, context: CommandContext, changes: Changes): Promise<Outcome> {
    const unchanged = { branding: {}, settings: {}, now: now(), logoUsable: true, from: null }
    const change = { type: 'ChangeWhiteLabel', ...unchanged, ...changes } as const
    const done = await commands.whiteLabels.execute(whitelabelId, context, change)
    if (done.kind === 'rejected') return done
    whiteLabels.stored(whitelabelId, done.state, done.revision)
    return { position: done.position }
  }

  type ForPerson = Exclude<RolesCommand, { readonly kind: 'roles_alone' }>
  async function withRoles({ spaceId, whitelabelId }: ApprovalEntry, command: ForPerson, asker: Issuer): Promise<Outcome> {
    const account = await accounts.find(spaceId ?? '')
    if (account === null) return { rejection: reject(110) }
    const place: TeamPlace = { spaceId: account.space_id, whitelabelId, name: account.name }
    try {
      if (command.kind === 'invitation') {
        if (command.person === undefined) return { rejection: reject(134) }
        return await team.invite(place, asker, { ...command.person, roles: command.roles })
      }
      const done = await forPerson(place.spaceId, command, asker)
      const given = 'roles' in command ? command.roles : command.kind === 'hand_over' ? ['WL_OWNER' as const] : []
      if (confirmingAmong(given).length > 0) await secondPerson.roleConfirmed(command.person_id)
      return done
    } catch (error) {
      if (error instanceof Refused) return { rejection: error.rejection }
      throw error
    }
  }

  async function forPerson(spaceId: string, command: Exclude<ForPerson, { readonly kind: 'invitation' }>, asker: Issuer) {
    const { person_id: personId } = command
    switch (command.kind) {
      case 'confirming_roles': {
        const member = (await team.people(spaceId)).people.find(({ person_id }) => person_id === personId)
        const others = member?.roles.filter((role) => !command.roles.includes(role)) ?? []
        return await team.change(spaceId, asker, { type: 'ChangeRoles', personId, roles: [...others, ...command.roles] })
      }
      case 'roles':
        return await team.change(spaceId, asker, { type: 'ChangeRoles', personId, roles: command.roles })
      case 'reactivation':
        return await team.change(spaceId, asker, { type: 'ReactivatePerson', personId })
      case 'right':
        return await team.grantRight(spaceId, asker, personId, command.right, command.until)
      case 'hand_over':
        return await team.change(spaceId, asker, { type: 'HandOver', personId })
    }
  }

  return async function carryOut(entry: ApprovalEntry, by: string, role = 'WL_OWNER'): Promise<Outcome> {
    const asker = await askerNow(entry, {
      actor: by,
      role,
      on_behalf_of: entry.spaceId,
      source: 'api',
      command_id: derivedId('approved', entry.id),
      body_hash: null,
      correlation: '',
      causation: null,
    })
    const outcome = asker === null ? { rejection: reject(3) } : await run(entry, asker)
    if ('rejection' in outcome) await secondPerson.close(entry.id, 'failed')
    else {
      await secondPerson.close(entry.id, 'done', outcome.personId)
      const { id, whitelabelId, command } = entry
      const fields = command.kind === 'invoicing' ? Object.keys(command.invoicing).join(', ') : ''
      if (isKeyChange(command.kind))
        await secondPerson.mailOthers({ id, whitelabelId, what: command.kind, by: [entry.userId, by], fields })
    }
    return outcome
  }
}
export type CarryOut = ReturnType<typeof createCarryOut>
