import { MICROS } from '#domain/kit/money'
import { minorUnit } from '#domain/payment/amounts'
import { formatFixedMoney } from '@/i18n/format'

/** Digits after the point of the currency's amounts: 2, or 0 and 3 in some. */
export const digitsOf = (currency: string): number => Math.round(Math.log10(MICROS / minorUnit(currency)))

/** An amount of a document with all digits of its currency, so that decimals align. */
export const formatDocumentMoney = (value: number, currency: string): string =>
  formatFixedMoney(value, currency, digitsOf(currency))

/** An amount as a field is filled with it: 6669.50. */
export const typedMoney = (value: number, currency: string): string => value.toFixed(digitsOf(currency))
