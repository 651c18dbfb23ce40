import type { MailTemplate } from '../template.ts'
import { addressRegistered } from './address-registered.ts'
import { apiKeyCreated } from './api-key-created.ts'
import { confirmRegistration } from './confirm-registration.ts'
import { invoiceIssued } from './invoice.ts'
import { lowBalance } from './low-balance.ts'
import { newSignIn } from './new-sign-in.ts'
import { notification, notificationDigest } from './notification.ts'
import { autoRefillStopped, cardExpires, paymentReceipt } from './payments.ts'
import { passwordChanged } from './password-changed.ts'
import { passwordReset } from './password-reset.ts'
import { registrationRejected } from './registration-rejected.ts'
import {
  recoveryCodesRenewed,
  recoveryCodeUsed,
  secondFactorOff,
  secondFactorOn,
  secondFactorReset,
  wrongCodes,
} from './second-factor.ts'
import { savedReport } from './saved-report.ts'
import { setUpAccount } from './setup-account.ts'

/** Every mail of the product, by the name under which it is queued. */
export const MAIL_TEMPLATES: Readonly<Record<string, MailTemplate>> = {
  'confirm-registration': confirmRegistration,
  'setup-account': setUpAccount,
  'registration-rejected': registrationRejected,
  'address-registered': addressRegistered,
  'password-reset': passwordReset,
  'password-changed': passwordChanged,
  'new-sign-in': newSignIn,
  'api-key-created': apiKeyCreated,
  'second-factor-on': secondFactorOn,
  'second-factor-off': secondFactorOff,
  'second-factor-reset': secondFactorReset,
  'recovery-code-used': recoveryCodeUsed,
  'recovery-codes-renewed': recoveryCodesRenewed,
  'wrong-codes': wrongCodes,
  'low-balance': lowBalance,
  notification,
  'notification-digest': notificationDigest,
  'payment-receipt': paymentReceipt,
  'auto-refill-stopped': autoRefillStopped,
  'card-expires': cardExpires,
  invoice: invoiceIssued,
  'saved-report': savedReport,
}
