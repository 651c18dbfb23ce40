import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** Registration, its screening, accounts that staff add, and forgotten passwords (platform.md §7, decisions G-175 to G-187). */

const text = z.string().check(z.maxLength(5000))
const optionalText = z.nullish(text)
const key = z.string().check(z.minLength(1), z.maxLength(300))
const password = z.string().check(z.minLength(1), z.maxLength(1000))

const languageKey = z.nullish(z.literal([1, 2])).check(z.describe('1 English, 2 Russian: the language of mails'))

export const registrationInput = z.object({
  agree_with_tos: z.boolean(),
  company_name: optionalText,
  email: text,
  first_name: text,
  last_name: text,
  phone: text,
  user_type_key: z.nullish(z.literal(1)),
  currency: optionalText,
  country: text,
  language_key: languageKey,
})
export type RegistrationInput = z.input<typeof registrationInput>

export const register = endpoint({
  id: 'registration.submit',
  reads: [],
  method: 'POST',
  path: '/v1/registration',
  access: 'public',
  summary: 'Register; the answer is the same when the address has an account, and its owner gets a mail that says so',
  body: 'json',
  input: registrationInput,
  output: z.object({ position }),
  write: true,
})

const registrationData = named(
  'RegistrationData',
  z.object({
    company_name: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone: z.nullable(z.string()),
    email: z.string(),
  }),
)
export type RegistrationData = z.output<typeof registrationData>

export const verifyToken = endpoint({
  id: 'registration.verify',
  reads: [],
  method: 'POST',
  path: '/v1/registration/verify-token/:token',
  access: 'public',
  summary: 'The registration of a confirmation link: 4 expired, 5 invalid, 162 completed already',
  params: z.object({ token: z.string() }),
  output: registrationData,
})

export const completeRegistration = endpoint({
  id: 'registration.complete',
  reads: [],
  method: 'POST',
  path: '/v1/registration/complete',
  access: 'public',
  summary: 'Set the password of a confirmed registration; from then on the user can sign in',
  body: 'json',
  input: z.object({ token: key, password }),
  output: z.object({}),
})

export const startReset = endpoint({
  id: 'password.resetInit',
  reads: [],
  method: 'POST',
  path: '/v1/user/reset-password/init',
  access: 'public',
  summary: 'Request a mail with a link to a new password; the answer is the same for every address',
  body: 'text',
  input: z.string().check(z.maxLength(5000)),
  output: z.object({}),
})

export const finishReset = endpoint({
  id: 'password.resetFinish',
  reads: [],
  method: 'POST',
  path: '/v1/user/reset-password/finish',
  access: 'public',
  summary: 'Replace a forgotten password; ends every session of the user',
  body: 'json',
  input: z.object({ newPassword: password, key }),
  output: z.object({}),
})

const registrant = z.object({
  id: z.string(),
  company_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  country: z.nullable(z.string()),
  currency: z.string(),
  created_at: z.string(),
  due_at: z.string().check(z.describe('One working day after created_at, Monday to Friday in UTC')),
})
export const queuedRegistrant = named('Registrant', registrant)
export type QueuedRegistrant = z.output<typeof queuedRegistrant>

const registrationDetails = named(
  'RegistrationDetails',
  z.extend(registrant, {
    space_id: z.string(),
    whitelabel_id: z.string(),
    status: z.enum(['submitted', 'approved', 'rejected', 'completed']),
    moderator_comment: z.nullable(z.string()),
    history: z.array(z.object({ type: z.string(), at: z.string(), author: z.string() })),
  }),
)
export type RegistrationDetails = z.output<typeof registrationDetails>

export const getRegistration = endpoint({
  id: 'registration.get',
  reads: ['registrations'],
  method: 'GET',
  path: '/v1/whitelabel/admin/registration/:id',
  access: 'registration.decide',
  summary: 'A registration with its history; the id is that of the user',
  params: z.object({ id: z.string() }),
  output: registrationDetails,
})

const decision = z.object({ id: z.string(), comment: optionalText })
const decided = z.object({ position })

export const approveRegistration = endpoint({
  id: 'registration.approve',
  reads: [],
  method: 'POST',
  path: '/v1/whitelabel/admin/registration/approve',
  access: 'registration.decide',
  summary: 'Approve a registrant: opens the account and sends the confirmation mail',
  body: 'json',
  input: decision,
  output: decided,
  command: true,
})

export const rejectRegistration = endpoint({
  id: 'registration.reject',
  reads: [],
  method: 'POST',
  path: '/v1/whitelabel/admin/registration/reject',
  access: 'registration.decide',
  summary: 'Reject a registrant with a reason, who is notified by mail',
  body: 'json',
  input: decision,
  output: decided,
  command: true,
})

export const resendConfirmation = endpoint({
  id: 'registration.resend',
  reads: [],
  method: 'POST',
  path: '/v1/whitelabel/user/confirmation/email/resend',
  access: 'account.add',
  summary: 'Send the confirmation mail again, with a new link',
  body: 'json',
  input: z.object({ id: z.string() }),
  output: decided,
  command: true,
})

export const addAccountInput = z.object({
  agree_with_tos: z.boolean(),
  company_name: optionalText,
  country: text,
  currency: optionalText.check(z.describe('The currency of the account; by default that of the white-label')),
  email: text,
  first_name: text,
  language_key: languageKey,
  last_name: text,
  niche: optionalText,
  phone: text,
  position: optionalText,
  rewarded_ads_cpm_rate: z.nullish(z.number()),
  source: optionalText,
  type: z.nullish(z.enum(['freelancer', 'agency', 'brand'])),
  user_type_key: z.nullish(z.literal(1)),
  whitelabel_id: z.nullish(z.string().check(z.maxLength(50))),
})

export const addAccount = endpoint({
  id: 'account.add',
  reads: [],
  method: 'POST',
  path: '/v1/whitelabel/admin/account/add',
  access: 'account.add',
  summary: 'Add an account without screening: opens it and sends its owner a mail; 160 for a taken address',
  body: 'json',
  input: addAccountInput,
  output: z.object({ id: z.string(), space_id: z.string(), position }),
  command: true,
})

export const REGISTRATION_ENDPOINTS = [
  register,
  verifyToken,
  completeRegistration,
  startReset,
  finishReset,
  getRegistration,
  approveRegistration,
  rejectRegistration,
  resendConfirmation,
  addAccount,
]
