/** Types of a movement on the wire. */
export const MOVEMENT_TYPES = [
  'spend',
  'refill',
  'payment',
  'credit',
  'correction',
  'credit_note',
  'tax',
  'tax_reversed',
  'refund',
  'refund_reversed',
  'dispute',
  'dispute_won',
] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]
