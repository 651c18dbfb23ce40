import { systemContext, type CommandContext } from '#domain/kit/event-metadata'
import type { Micros } from '#domain/kit/money'
import { accepted, refused } from '../refused.ts'
import type { AccountCommands } from './account-commands.ts'

type AccountPlace = { readonly spaceId: string; readonly whitelabelId: string }
type Raise = AccountPlace & { readonly id: string; readonly userId: string }

type Counted = Raise & { readonly kind: 'credit_limit'; readonly amount: Micros }
type Asked = Raise & { readonly command: { readonly kind: 'credit_limit'; readonly amount: Micros; readonly comment: '' } }
type Done = { readonly id: string; readonly whitelabelId: string; readonly what: 'credit_limit'; readonly by: readonly string[] }

/** The rule of the second person for money by hand. */
export type RaiseApproval = {
  /** `alone`: within the limit of one person; `fresh`: not counted before. */
  readonly count: (raise: Counted) => Promise<{ readonly alone: boolean; readonly fresh: boolean }>
  readonly uncount: (id: string) => Promise<void>
  /** False when too much waits already. */
  readonly ask: (raise: Asked) => Promise<boolean>
  readonly mailOthers: (raise: Done) => Promise<void>
}

export type CreditLimitDeps = {
  readonly accounts: AccountCommands
  readonly secondPerson: RaiseApproval
  readonly newId: () => string
  readonly derivedId: (...parts: readonly string[]) => string
}

/** Sets the credit limit of an account. A raise is money by hand, and may have to wait for a second person (fine print 63). */
export function createCreditLimitChange({ accounts, secondPerson, newId, derivedId }: CreditLimitDeps) {
  /** From the account's own stream: the read model may not have the last raise so far. */
  async function presentLimit(spaceId: string): Promise<Micros> {
    const context = systemContext('credit-limits', newId())
    return accepted(await accounts.execute(spaceId, context, { type: 'ReadAccount' })).state.credit_limit
  }

  return async (
    { spaceId, whitelabelId }: AccountPlace,
    userId: string,
    context: CommandContext,
    creditLimit: Micros,
    /** Notes a raise that is stored, before others are mailed. */
    noteRaise: (from: Micros, to: Micros) => void = () => {},
  ) => {
    const present = await presentLimit(spaceId)
    const set = async () => accepted(await accounts.execute(spaceId, context, { type: 'SetCreditLimit', creditLimit }))
    if (creditLimit <= present) {
      const { state, position } = await set()
      return { stage: 'applied', limit: state.credit_limit, position } as const
    }
    const id = derivedId('by-hand', context.command_id)
    const raise = { id, whitelabelId, spaceId, userId }
    const { alone, fresh } = await secondPerson.count({ ...raise, kind: 'credit_limit', amount: creditLimit - present })
    if (!alone) {
      const command = { kind: 'credit_limit', amount: creditLimit, comment: '' } as const
      if (!(await secondPerson.ask({ ...raise, command }))) throw refused(134)
      return { stage: 'pending', limit: present, approvalId: id } as const
    }
    try {
      const { state, position } = await set()
      noteRaise(present, state.credit_limit)
      await secondPerson.mailOthers({ id, whitelabelId, what: 'credit_limit', by: [userId] })
      return { stage: 'applied', limit: state.credit_limit, position } as const
    } catch (error) {
      if (fresh) await secondPerson.uncount(id)
      throw error
    }
  }
}
