/** Status keys of fine print 61. */
export const INVOICE_STATUS = { draft: 1, sent: 2, paid: 3, partPaid: 4, void: 5, overdue: 6 } as const
export type InvoiceStatus = (typeof INVOICE_STATUS)[keyof typeof INVOICE_STATUS]
