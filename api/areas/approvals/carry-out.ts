import type { CommandContext } from '#domain/kit/event-metadata'
import type { Rejection } from '#domain/kit/errors'
import type { ApprovalsOwn } from './uses.ts'
import type { HandEntry } from '#platform/approvals/money-by-hand'

type Outcome = { readonly rejection: Rejection } | { readonly position: bigint }

/** Carries out what a second person confirmed, in that person's name; once only by the id of what was asked for. */
export function createCarryOut({ byHand, commands, derivedId, now, whiteLabels }: ApprovalsOwn) {
  async function run(entry: HandEntry, context: CommandContext): Promise<Outcome> {
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
        const settings = { payment_approval_limit: command.limit }
        const change = { type: 'ChangeWhiteLabel', branding: {}, settings, now: now(), logoUsable: true, from: null } as const
        const done = await commands.whiteLabels.execute(whitelabelId, context, change)
        if (done.kind === 'rejected') return done
        whiteLabels.stored(whitelabelId, done.state, done.revision)
        return { position: done.position }
      }
    }
  }

  return async function carryOut(entry: HandEntry, by: string, role = 'WL_OWNER'): Promise<Outcome> {
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
    await byHand.close(entry.id, 'rejection' in outcome ? 'failed' : 'done')
    return outcome
  }
}
