import { t } from 'i18next'
import { cn } from '@/lib/utils'
import type { Item } from './said.ts'
import type { SaidChange } from './said-change.ts'
import type { Stretch } from './word-difference.ts'

export type Side = 'before' | 'after'

const TINT = { before: 'bg-destructive-tint', after: 'bg-success-tint' } as const
const ink = {
  before: 'bg-destructive-tint text-destructive line-through decoration-1',
  after: 'bg-success-tint text-success',
} as const

type SaidValueProps = {
  readonly said: SaidChange
  readonly side: Side
  /** True when both sides are equal: nothing is highlighted. */
  readonly quiet: boolean
}

/**
 * One side of a change, with differing words or items highlighted. There may be thousands on a page, so they do not subscribe to
 * the language; their container does.
 */
export function SaidValue({ said, side, quiet }: SaidValueProps) {
  const value = said[side]
  const tint = quiet ? '' : TINT[side]
  if (value.kind === 'nothing') return <span className="text-muted-foreground inline-block py-1">{t('log:nothing')}</span>
  return (
    <>
      {value.kind === 'items' ? (
        <ItemList
          items={value.items.map((item) => ({
            item,
            className: said.items?.some((each) => each.in === side && each.item.id === item.id && each.item.text === item.text)
              ? tint
              : '',
          }))}
        />
      ) : said.words !== null && !quiet ? (
        <p className="py-1 break-words whitespace-pre-wrap">
          <Stretches stretches={said.words.filter((stretch) => stretch.in === 'both' || stretch.in === side)} />
        </p>
      ) : (
        <p
          className={cn(
            'rounded-md w-fit max-w-full py-1 break-words whitespace-pre-wrap tabular-nums',
            !quiet && '-ml-2 px-2',
            tint,
          )}
        >
          {value.text}
        </p>
      )}
      {said.erased[side] && <p className="text-muted-foreground text-xs">{t('log:erased')}</p>}
    </>
  )
}

/** Text with removed and added stretches highlighted. */
export const Stretches = ({ stretches }: { readonly stretches: readonly Stretch[] }) =>
  stretches.map((stretch, index) => {
    if (stretch.in === 'both') return <span key={index}>{stretch.text}</span>
    const Mark = stretch.in === 'before' ? 'del' : 'ins'
    return (
      <Mark key={index} className={cn('rounded-[3px] no-underline', ink[stretch.in])}>
        {stretch.text}
      </Mark>
    )
  })

type ItemListProps = { readonly items: readonly { readonly item: Item; readonly className: string }[] }

function ItemList({ items }: ItemListProps) {
  return (
    <ul className="flex flex-col items-start gap-1 py-0.5">
      {items.map(({ item, className }) => (
        <li key={item.id} className={cn('rounded-md -ml-2 max-w-full px-2 py-0.5', className)}>
          <ItemName item={item} />
        </li>
      ))}
    </ul>
  )
}

/** An item by name, with a thumbnail if it is a picture. */
export function ItemName({ item }: { readonly item: Item }) {
  return (
    <span className="inline-flex max-w-full items-center gap-2 break-words">
      {item.picture !== null && (
        <img src={item.picture} alt="" loading="lazy" className="checkered h-8 w-12 shrink-0 rounded-[3px] object-contain" />
      )}
      <span className="min-w-0 break-words">{item.text}</span>
    </span>
  )
}
