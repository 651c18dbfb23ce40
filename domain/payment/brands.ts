/** Brands of cards (platform.md §3) by their keys on the wire. */
export const CARD_BRANDS = {
  amex: 'Amex',
  carte_blanche: 'Carte Blanche',
  china_unionpay: 'China UnionPay',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  laser: 'Laser',
  uk_maestro: 'UK Maestro',
  maestro: 'Maestro',
  mastercard: 'MasterCard',
  solo: 'Solo',
  switch: 'Switch',
  visa: 'Visa',
  unrecognized: 'unrecognized',
} as const
export type CardBrand = keyof typeof CARD_BRANDS
export type CardBrandLabel = (typeof CARD_BRANDS)[CardBrand]

/** Names that providers use for the same brands. */
const NAMES: Readonly<Record<string, CardBrand>> = {
  american_express: 'amex',
  unionpay: 'china_unionpay',
  diners_club: 'diners',
  master_card: 'mastercard',
}

/** The brand of a provider's name; a name outside the list is unrecognized. */
export function cardBrandOf(name: string | null | undefined): CardBrand {
  const key = (name ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return key in CARD_BRANDS ? (key as CardBrand) : (NAMES[key] ?? 'unrecognized')
}
