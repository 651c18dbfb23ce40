import { taxTermsOf, type TaxTerms } from '#domain/invoice/tax'
import { DEFAULT_INVOICING } from '#domain/white-label/invoicing'
import type { Needs } from '#api/areas/services'

/** The tax that a draft shows. */
export async function taxShown(
  { accounts, whiteLabels }: Needs<'accounts' | 'whiteLabels'>,
  { spaceId, whitelabelId }: { readonly spaceId: string; readonly whitelabelId: string },
): Promise<TaxTerms> {
  const account = await accounts.find(spaceId)
  const usual = whiteLabels.find(whitelabelId)?.invoicing ?? DEFAULT_INVOICING
  return taxTermsOf(account?.settings ?? { tax_mode: null, tax_rate: null }, usual)
}
