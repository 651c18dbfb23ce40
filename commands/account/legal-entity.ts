import { settingsOf, type AccountState } from '#domain/account/account'
import {
  changedLegalFields,
  legalEntityFaults,
  patchedLegalEntity,
  type LegalEntity,
  type LegalEntityPatch,
} from '#domain/account/legal-entity'
import type { AccountSettings } from '#domain/account/settings'
import type { CommandContext } from '#domain/kit/event-metadata'
import { fault } from '#domain/kit/faults'
import { accepted, refused } from '../refused.ts'
import type { WhiteLabels } from '../white-label/white-labels.ts'
import type { AccountCommands } from './account-commands.ts'

const SELLER_NAME = 'Set the legal name in the invoicing settings of the white-label, where a second person confirms it'

type AccountPlace = { readonly spaceId: string; readonly whitelabelId: string }
type Tax = Pick<AccountSettings, 'tax_mode' | 'tax_rate'>
export type TaxPatch = { readonly [Field in keyof Tax]?: Tax[Field] | undefined }

export type LegalEntityDeps = {
  readonly accounts: AccountCommands
  readonly whiteLabels: Pick<WhiteLabels, 'find'>
  readonly accountOf: (spaceId: string) => Promise<Pick<AccountState, 'house'> | null>
  readonly entityOf: (spaceId: string) => Promise<LegalEntity | undefined>
  readonly store: (spaceId: string, entity: LegalEntity) => Promise<void>
}

/** Changes whom the invoices of an account name, and their tax. */
export function createLegalEntityChange({ accounts, whiteLabels, accountOf, entityOf, store }: LegalEntityDeps) {
  /** Whether invoices name the legal entity of this account as their seller, which a second person confirms (fine print 63). */
  async function isSeller({ spaceId, whitelabelId }: AccountPlace): Promise<boolean> {
    const label = whiteLabels.find(whitelabelId)
    if (label === null || label.settings.payment_approval_limit === null || label.invoicing.legal_name !== '') return false
    return (await accountOf(spaceId))?.house === true
  }

  return async (place: AccountPlace, context: CommandContext, patch: LegalEntityPatch, tax: TaxPatch) => {
    const { spaceId } = place
    const present = await entityOf(spaceId)
    const entity = patchedLegalEntity(present, patch)
    const faults = legalEntityFaults(entity)
    if (faults.length > 0) throw refused(2, faults)
    const fields = changedLegalFields(present, entity)
    if (fields.includes('legal_entity_name') && (await isSeller(place)))
      throw refused(2, [{ ...fault('legal_entity_name', 2, 'notAllowed'), message: SELLER_NAME }])
    const command = { type: 'ChangeLegalEntity', fields, tax: changedTax(tax) } as const
    const { state, position } = accepted(await accounts.execute(spaceId, context, command))
    // After the event: a command that crashed in between is repeated, and stores it then.
    await store(spaceId, entity)
    return { entity, settings: settingsOf(state), position }
  }
}

/** A rate of the account's own has no meaning without a tax of its own. */
function changedTax({ tax_mode: mode, tax_rate: rate }: TaxPatch): Partial<Tax> {
  const rated = mode === null || mode === 'none' ? null : rate
  return { ...(mode === undefined ? {} : { tax_mode: mode }), ...(rated === undefined ? {} : { tax_rate: rated }) }
}
