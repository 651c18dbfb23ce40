import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundAccountItem } from '#contract/accounts'
import { AccountPicture } from './account-picture.tsx'
import { Badge } from '@/components/ui/badge'
import { Input } from '@/components/ui/input'
import { SEARCH_DELAY_MS, searchQueries } from '@/data/search-queries'
import { useDebounced } from '@/lib/use-debounced'
import { cn } from '@/lib/utils'
import '@/i18n/texts/search'

type AccountFinderProps = {
  readonly label?: string
  /** The chosen account, such as the one of the page's address. */
  readonly chosen: Pick<FoundAccountItem, 'space_id' | 'space_name'> | null
  readonly onChoose: (account: FoundAccountItem) => void
  /** Clears the choice as well as the text; without it the button clears the text only. */
  readonly onClear?: () => void
  readonly className?: string
}

/** Finds an account by a part of its name or its owner's (platform.md §2): a combobox whose list has the own account first. */
export function AccountFinder({ label, chosen, onChoose, onClear, className }: AccountFinderProps) {
  const { t } = useTranslation('search')
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  /** Null while nothing was typed since the last choice: the box then shows the choice. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const query = useDebounced((typed ?? '').trim(), SEARCH_DELAY_MS)
  const { data } = useQuery({ ...searchQueries.accounts(query), enabled: open })
  const accounts = data?.accounts ?? []
  useEffect(() => {
    if (!open) return undefined
    const close = ({ target }: PointerEvent) => {
      if (target instanceof Node && frame.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [open])
  const choose = (account: FoundAccountItem | undefined) => {
    if (account === undefined) return
    onChoose(account)
    setTyped(null)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (open) setActive((at) => Math.max(0, Math.min(accounts.length - 1, at + step)))
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      choose(accounts[active])
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation()
      setOpen(false)
    }
  }
  const clear = () => {
    setTyped('')
    setActive(0)
    onClear?.()
    box.current?.focus()
  }
  const shown = typed ?? chosen?.space_name ?? ''
  return (
    <div ref={frame} className={cn('relative w-64', className)}>
      <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
      <Input
        ref={box}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot search on the server
        role="combobox"
        autoComplete="off"
        aria-label={label ?? t('finder.label')}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && accounts.length > 0 ? `${id}-${active}` : undefined}
        placeholder={t('finder.placeholder')}
        maxLength={300}
        className="px-9"
        value={shown}
        onFocus={(event) => event.target.select()}
        onClick={() => setOpen(true)}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {shown !== '' && (
        <button
          type="button"
          aria-label={t('finder.clear')}
          onClick={clear}
          className="text-muted-foreground hover:text-foreground absolute top-1 right-1 grid size-7 place-items-center rounded-md"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
      <div
        id={`${id}-list`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a datalist shows text only
        role="listbox"
        aria-label={t('finder.results')}
        hidden={!open || accounts.length === 0}
        className="border-border bg-popover absolute inset-x-0 top-full z-40 mt-1 max-h-80 min-w-64 overflow-y-auto rounded-lg border p-1 shadow-lg"
      >
        {open &&
          accounts.map((account, index) => (
            <div
              key={account.space_id}
              id={`${id}-${index}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option shows text only
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={cn(
                'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-md px-2',
                index === active ? 'bg-muted' : 'hover:bg-muted',
              )}
              // Pressed, not clicked: the box keeps the focus.
              onPointerDown={(event) => {
                event.preventDefault()
                choose(account)
              }}
            >
              <AccountPicture name={account.space_name} pictureId={account.picture_id} />
              <span className="min-w-0 grow truncate">{account.space_name}</span>
              {account.own && <Badge variant="secondary">{t('own')}</Badge>}
            </div>
          ))}
      </div>
      {open && data !== undefined && accounts.length === 0 && (
        <output className="border-border bg-popover text-muted-foreground absolute inset-x-0 top-full z-40 mt-1 rounded-lg border px-3 py-3 shadow-lg">
          {t('finder.none')}
        </output>
      )}
    </div>
  )
}
