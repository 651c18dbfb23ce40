import { LABEL_COLORS, type LabelColor } from '#domain/campaign/labels'

/** Tones with a contrast of 3:1 and more to the surfaces of both themes. The name of a label is text of the theme, never coloured. */
export const TONES: Readonly<Record<LabelColor, string>> = {
  gray: '#6b7280',
  red: '#dc2626',
  orange: '#c2570c',
  yellow: '#a16207',
  green: '#15803d',
  teal: '#0d8578',
  blue: '#2563eb',
  violet: '#7c3aed',
  pink: '#db2777',
}

/** The colour that the fewest labels of an account have, for a new one. */
export function freshColor(labels: readonly { readonly color: LabelColor }[]): LabelColor {
  const count = (color: LabelColor) => labels.filter((label) => label.color === color).length
  // Gray says nothing, so it is the last choice.
  const [first, ...others] = [...LABEL_COLORS.filter((color) => color !== 'gray'), 'gray' as const]
  return others.reduce((best, color) => (count(color) < count(best) ? color : best), first ?? 'gray')
}
