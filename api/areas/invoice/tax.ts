import { taxTermsOf, type TaxTerms } from '#domain/invoice/tax'
import { DEFAULT_INVOICING } from '#domain/white-label/invoicing'
import type { InvoiceOwn } from './uses.ts'

/** The tax that a draft shows. */
export async function taxShown(
  { accounts, whiteLabels }: Pick<InvoiceOwn, 'accounts' | 'whiteLabels'>,
  { spaceId, whitelabelId }: { readonly spaceId: string; readonly whitelabelId: string },
): Promise<TaxTerms> {
  const account = await accounts.find(spaceId)
  const usual = whiteLabels.find(whitelabelId)?.invoicing ?? DEFAULT_INVOICING
  return taxTermsOf(account?.settings ?? { tax_mode: null, tax_rate: null }, usual)
}
