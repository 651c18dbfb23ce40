import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { CannedReason } from '#contract/review-guidelines'
import { Input } from '@/components/ui/input'
import { useLanguage } from '@/i18n/use-language'
import { cn } from '@/lib/utils'

type CannedReasonsProps = {
  readonly reasons: readonly CannedReason[]
  /** Receives the focus when a shortcut opens the form. */
  readonly focused: boolean
  readonly onPick: (reason: CannedReason) => void
}

/** The reasons of the white-label, found by typing. Enter and a click insert the text of one. */
export function CannedReasons({ reasons, focused, onPick }: CannedReasonsProps) {
  const { t } = useTranslation('moderation')
  const language = useLanguage()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const move = (to: number) => {
    setActive(to)
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])

  const words = typed.toLowerCase().split(/\s+/)
  const found = reasons.filter(({ title, topic, text }) => {
    const searched = [...Object.values(title), ...Object.values(text), topic].join(' ').toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  const place = Math.min(active, found.length - 1)
  const pick = (reason: CannedReason | undefined) => {
    if (reason === undefined) return
    onPick(reason)
    setTyped('')
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // With a modifier, Enter sends the form.
    if (event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') pick(found[place])
    else if (event.key === 'ArrowDown') move(Math.min(place + 1, found.length - 1))
    else if (event.key === 'ArrowUp') move(Math.max(place - 1, 0))
    else return
    event.preventDefault()
  }
  return (
    <div>
      <label htmlFor={id} className="text-[0.8125rem]/4.5 mb-1 block font-medium">
        {t('canned.label')}
      </label>
      <Input
        ref={input}
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be searched in the texts
        role="combobox"
        autoComplete="off"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${place}`}
        aria-describedby={`${id}-help`}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-help`} className="text-muted-foreground text-xs mt-1">
        {found.length === 0 ? t('canned.none') : t('canned.help')}
      </p>
      <div
        ref={list}
        id={`${id}-list`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a datalist shows titles only
        role="listbox"
        aria-label={t('canned.label')}
        className="border-border mt-1.5 max-h-44 overflow-y-auto rounded-md border empty:hidden"
      >
        {found.map((reason, i) => (
          <div
            // oxlint-disable-next-line react/no-array-index-key -- reasons have no id, and keep their order
            key={i}
            id={`${id}-${i}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option shows text only
            role="option"
            tabIndex={-1}
            aria-selected={i === place}
            className={cn(
              'flex cursor-pointer items-center gap-2 px-3 py-1.5',
              i === place ? 'bg-primary-tint' : 'hover:bg-muted',
            )}
            // Pressed, not clicked: the box keeps the focus.
            onPointerDown={(event) => {
              event.preventDefault()
              pick(reason)
            }}
          >
            <span className="min-w-0 grow [overflow-wrap:anywhere]">{reason.title[language]}</span>
            {reason.topic !== '' && <span className="text-muted-foreground text-xs shrink-0">{reason.topic}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}
