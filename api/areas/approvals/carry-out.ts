import type { CommandContext } from '#domain/kit/event-metadata'
import { reject, type Rejection } from '#domain/kit/errors'
import type { WhiteLabelSettings } from '#domain/white-label/white-label'
import { Refused } from '#commands/refused'
import type { Team, TeamPlace } from '#commands/identity/team'
import type { ApprovalsOwn } from './uses.ts'
import type { ResetBy, WhoLostFactor } from '#platform/identity/reset-second-factor'
import type { ApprovalEntry, RolesCommand } from '#platform/approvals/second-person'

/** `personId`: of who was invited. */
type Outcome = { readonly rejection: Rejection } | { readonly position: bigint; readonly personId?: string }

/** False when the person has no second factor. */
export type ResetFactor = (who: WhoLostFactor, by: ResetBy) => Promise<boolean>

/** Carries out what a second person confirmed, in that person's name; once only by the id of what was asked for. */
export function createCarryOut(
  { accounts, secondPerson, commands, derivedId, now, store, whiteLabels }: ApprovalsOwn,
  team: Team,
  resetFactor: ResetFactor,
) {
  async function run(entry: ApprovalEntry, context: CommandContext): Promise<Outcome> {
    const { command, id, userId, whitelabelId } = entry
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
      case 'limit': {
        return await changed(whitelabelId, context, { payment_approval_limit: command.limit })
      }
      case 'roles_alone':
        return await changed(whitelabelId, context, { second_person_for_roles: false })
      case 'second_factor': {
        const by = { by: context.actor, asked_by: userId, approval: id, comment: command.comment }
        const done = await resetFactor({ personId: command.person_id, whitelabelId }, by)
        return done ? { position: await store.head() } : { rejection: reject(134) }
      }
      case 'invitation':
      case 'roles':
      case 'reactivation':
      case 'right':
      case 'hand_over':
        return await withRoles(entry, command, context)
    }
  }

  async function changed(whitelabelId: string, context: CommandContext, settings: Partial<WhiteLabelSettings>): Promise<Outcome> {
    const change = { type: 'ChangeWhiteLabel', branding: {}, settings, now: now(), logoUsable: true, from: null } as const
    const done = await commands.whiteLabels.execute(whitelabelId, context, change)
    if (done.kind === 'rejected') return done
    whiteLabels.stored(whitelabelId, done.state, done.revision)
    return { position: done.position }
  }

  type ForPerson = Extract<RolesCommand, { readonly by_administrator: boolean }>
  async function withRoles({ spaceId, userId, whitelabelId }: ApprovalEntry, command: ForPerson, context: CommandContext) {
    const account = await accounts.find(spaceId ?? '')
    if (account === null) return { rejection: reject(110) }
    const place: TeamPlace = { spaceId: account.space_id, whitelabelId, name: account.name }
    const asker = { context, byAdministrator: command.by_administrator, askedBy: userId }
    try {
      switch (command.kind) {
        case 'invitation':
          if (command.person === undefined) return { rejection: reject(134) }
          return await team.invite(place, asker, { ...command.person, roles: command.roles })
        case 'roles':
          return await team.changeRoles(place.spaceId, asker, command.person_id, command.roles)
        case 'reactivation':
          return await team.act(place.spaceId, asker, 'ReactivatePerson', command.person_id)
        case 'right':
          return await team.grantRight(place.spaceId, asker, command.person_id, command.right, command.until)
        case 'hand_over':
          return await team.act(place.spaceId, asker, 'HandOver', command.person_id)
      }
    } catch (error) {
      if (error instanceof Refused) return { rejection: error.rejection }
      throw error
    }
  }

  return async function carryOut(entry: ApprovalEntry, by: string, role = 'WL_OWNER'): Promise<Outcome> {
    const outcome = await run(entry, {
      actor: by,
      role,
      on_behalf_of: entry.spaceId,
      source: 'api',
      command_id: derivedId('approved', entry.id),
      body_hash: null,
      correlation: '',
      causation: null,
    })
    if ('rejection' in outcome) await secondPerson.close(entry.id, 'failed')
    else await secondPerson.close(entry.id, 'done', outcome.personId)
    return outcome
  }
}
export type CarryOut = ReturnType<typeof createCarryOut>
