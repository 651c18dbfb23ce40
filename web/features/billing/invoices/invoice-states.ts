/** States of invoices, in the order of their keys on the wire: the first has the key 1. */
export const INVOICE_STATES = ['draft', 'sent', 'paid', 'partPaid', 'void', 'overdue'] as const
export type InvoiceStateName = (typeof INVOICE_STATES)[number]

export const keyOfState = (name: InvoiceStateName): number => INVOICE_STATES.indexOf(name) + 1
