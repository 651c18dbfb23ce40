import { clsx, type ClassValue } from 'clsx'
import { createTailwindMerge } from 'tailwind-merge'

const any = () => true
const isNumber = (value: string) => /^\d+$/.test(value)
const isLength = (value: string) => /^\[[\d.]+(px|rem|em)\]$/.test(value)
const exact = (...names: readonly string[]) => [...names]
const of = (prefix: string, ...values: readonly (string | typeof any)[]) => [
  { [prefix]: values.length === 0 ? [any] : [...values] },
]
/** The same utility of one, two or all sides. */
const sides = (prefix: string) =>
  Object.fromEntries(['', 'x', 'y', 't', 'r', 'b', 'l'].map((side) => [prefix + side, of(prefix + side)]))
const covers = (prefix: string) => ({
  [prefix]: ['x', 'y', 't', 'r', 'b', 'l'].map((side) => prefix + side),
  [`${prefix}x`]: [`${prefix}r`, `${prefix}l`],
  [`${prefix}y`]: [`${prefix}t`, `${prefix}b`],
})

/**
 * A later class wins over an earlier one that sets the same: for the utilities that our components have and their users replace. The merger's own table
 * knows all of Tailwind, weighs four times as much, and takes our text sizes for colours.
 */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    display: exact(
      'block',
      'inline-block',
      'inline',
      'flex',
      'inline-flex',
      'grid',
      'inline-grid',
      'contents',
      'table',
      'hidden',
    ),
    position: exact('static', 'fixed', 'absolute', 'relative', 'sticky'),
    ...sides('p'),
    ...sides('m'),
    size: of('size'),
    w: of('w'),
    h: of('h'),
    minWidth: of('min-w'),
    minHeight: of('min-h'),
    maxWidth: of('max-w'),
    maxHeight: of('max-h'),
    fontSize: [{ text: ['title', 'body', 'table', 'meta', isLength] }],
    wrap: [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
    verticalAlign: [{ align: ['top', 'middle', 'bottom', 'baseline'] }],
    align: [{ text: ['left', 'center', 'right'] }],
    color: of('text'),
    family: [{ font: ['sans', 'mono'] }],
    weight: [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
    background: of('bg'),
    rounded: of('rounded'),
    gap: of('gap'),
    gapX: of('gap-x'),
    gapY: of('gap-y'),
    object: of('object'),
    direction: [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
    columns: of('grid-cols'),
    cursor: of('cursor'),
    borderStyle: [{ border: ['solid', 'dashed', 'dotted', 'double', 'none'] }],
    borderCollapse: [{ border: ['collapse', 'separate'] }],
    borderSpacing: of('border-spacing'),
    borderWidth: [{ border: ['', isNumber] }],
    ...Object.fromEntries(
      ['x', 'y', 't', 'r', 'b', 'l'].map((side) => [`border${side}`, [{ [`border-${side}`]: ['', isNumber] }]]),
    ),
    borderColor: of('border'),
    inset: of('inset'),
    insetX: of('inset-x'),
    insetY: of('inset-y'),
    top: of('top'),
    right: of('right'),
    bottom: of('bottom'),
    left: of('left'),
    opacity: of('opacity'),
    transition: [{ transition: ['', any] }],
    whitespace: of('whitespace'),
    leading: of('leading'),
    decoration: exact('underline', 'overline', 'line-through', 'no-underline'),
    outlineOffset: of('outline-offset'),
    translateX: of('translate-x'),
    translateY: of('translate-y'),
    aspect: of('aspect'),
    self: of('self'),
    rotate: of('rotate'),
    break: of('break'),
    justify: [{ justify: [any] }],
    items: [{ items: [any] }],
    shrink: [{ shrink: ['', any] }],
    overflow: of('overflow'),
    overflowX: of('overflow-x'),
    overflowY: of('overflow-y'),
    z: of('z'),
    shadow: of('shadow'),
    resize: [{ resize: ['', any] }],
  },
  conflictingClassGroups: {
    ...covers('p'),
    ...covers('m'),
    size: ['w', 'h'],
    gap: ['gapX', 'gapY'],
    inset: ['insetX', 'insetY', 'top', 'right', 'bottom', 'left'],
    insetX: ['left', 'right'],
    insetY: ['top', 'bottom'],
    overflow: ['overflowX', 'overflowY'],
    fontSize: ['leading'],
    borderWidth: ['borderx', 'bordery', 'bordert', 'borderr', 'borderb', 'borderl'],
    borderx: ['borderr', 'borderl'],
    bordery: ['bordert', 'borderb'],
  },
  conflictingClassGroupModifiers: {},
  postfixLookupClassGroups: [],
  orderSensitiveModifiers: ['before', 'after', 'placeholder', 'file', 'marker', 'selection', '*', '**'],
}))

export const cn = (...inputs: ClassValue[]) => merge(clsx(inputs))
