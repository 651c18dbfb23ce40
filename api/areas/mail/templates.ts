import type { MailTemplate } from '#commands/mail/template'
import { addressRegistered } from '#commands/registration/mails/address-registered'
import { apiKeyCreated } from '#commands/identity/mails/api-key-created'
import { confirmRegistration } from '#commands/registration/mails/confirm-registration'
import { invoiceIssued } from '#commands/invoice/mails/invoice'
import { lowBalance } from '#commands/account/mails/low-balance'
import { newSignIn } from '#commands/identity/mails/new-sign-in'
import { notification, notificationDigest } from '#commands/notifications/mails/notification'
import { autoRefillStopped, cardExpires, paymentReceipt } from '#commands/payment/mails/payments'
import { passwordChanged } from '#commands/identity/mails/password-changed'
import { passwordReset } from '#commands/identity/mails/password-reset'
import { registrationRejected } from '#commands/registration/mails/registration-rejected'
import {
  recoveryCodesRenewed,
  recoveryCodeUsed,
  secondFactorOff,
  secondFactorOn,
  secondFactorReset,
  wrongCodes,
} from '#commands/identity/mails/second-factor'
import { savedReport } from '#commands/reports/mails/saved-report'
import { setUpAccount } from '#commands/registration/mails/setup-account'

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
