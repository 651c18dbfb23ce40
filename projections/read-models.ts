import { accounts } from './account/read-model.ts'
import { audiences } from './audience/read-model.ts'
import { auditLog } from './audit/read-model.ts'
import { campaignList } from './campaign/list/read-model.ts'
import { campaignRevisions } from './campaign/revisions/read-model.ts'
import { invoices } from './invoice/read-model.ts'
import { moderationQueue } from './campaign/queue/read-model.ts'
import { payments } from './payment/read-model.ts'
import { registrations } from './registration/read-model.ts'
import { whiteLabels } from './white-label/read-model.ts'
import type { ReadModel } from './projector/read-model.ts'

/** Every read model of the product. A new one is its folder and its line here. */
export const READ_MODELS: readonly ReadModel[] = [
  accounts,
  audiences,
  auditLog,
  campaignList,
  campaignRevisions,
  invoices,
  moderationQueue,
  payments,
  registrations,
  whiteLabels,
]
