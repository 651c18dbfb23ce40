import { INVOICE_STATUS } from '#domain/invoice/invoice-status'
import { PERSON_STATUS } from '#domain/registration/person-status'
import { TERMS_AGREED } from '#domain/account/settings'
import { BUDGET_TYPES, CAMPAIGN_FORMATS, codesOf, GOALS_BY_TYPE } from '#domain/campaign/content/options'
import { STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { ROLES } from '#domain/kit/access'
import { LANGUAGES, WIRE_LOCALES } from '#domain/kit/languages'
import { among } from './http.ts'
import { z } from './zod.ts'

/** Values that many answers have. Answers are not checked against them: what an older version stored stays readable. */

/** Status of campaigns (campaigns.md §4). */
export const statusKey = among(z.int(), STATUS_KEYS)
/** Status of people (platform.md §3). */
export const personStatusKey = among(z.number(), Object.values(PERSON_STATUS))
export const budgetTypeKey = among(z.number(), codesOf(BUDGET_TYPES))
export const campaignTypeKey = among(z.number(), codesOf(CAMPAIGN_FORMATS))
/** The objective and its goal (campaigns.md §3). */
export const objective = among(z.string(), Object.keys(GOALS_BY_TYPE))
export const goal = among(z.string(), Object.values(GOALS_BY_TYPE).flat())
/** 1 draft, 2 sent, 3 paid, 4 part paid, 5 void, 6 overdue. */
export const invoiceStatus = among(z.int(), Object.values(INVOICE_STATUS))
/** 1 company, 2 individual. */
export const userTypeKey = among(z.number(), [1, 2])
export const termsStatusKey = among(z.number(), [TERMS_AGREED])
export const languageKey = among(
  z.number(),
  LANGUAGES.map(({ key }) => key),
)
export const wireLocale = among(z.string(), WIRE_LOCALES)
export const roleKey = among(z.string(), ROLES)
