import { useState } from 'react'
import { useTranslation } from 'react-i18next'

export type Category = {
  readonly key: string
  readonly title: string
  readonly deprecated: boolean
  readonly parent: string | null
}

type CategoryPickerProps = {
  readonly categories: readonly Category[]
  readonly chosen: readonly string[]
  readonly onToggle: (key: string, on: boolean) => void
}

/** Maximum number of matches by name or key that the list shows. */
const LONGEST = 100

export function CategoryPicker({ categories, chosen, onToggle }: CategoryPickerProps) {
  const { t } = useTranslation('administration')
  const [sought, setSought] = useState('')
  const needle = sought.trim().toLowerCase()
  const found = categories
    .filter(({ key, deprecated }) => !deprecated || chosen.includes(key))
    .filter(({ key, title }) => key.toLowerCase().startsWith(needle) || title.toLowerCase().includes(needle))
    .slice(0, LONGEST)
  return (
    <div className="flex flex-col gap-2">
      <input
        type="search"
        aria-label={t('categoriesFind')}
        placeholder={t('categoriesFind')}
        autoComplete="off"
        className="control"
        value={sought}
        onChange={(event) => setSought(event.target.value)}
      />
      <ul className="flex max-h-72 flex-col overflow-y-auto">
        {found.map(({ key, title, parent }) => (
          <li key={key}>
            <label className="hover:bg-muted rounded-md flex min-h-8 items-center gap-2.5 px-2">
              <input
                type="checkbox"
                className="accent-primary size-4 shrink-0"
                checked={chosen.includes(key)}
                onChange={(event) => onToggle(key, event.target.checked)}
              />
              <span className={parent === null ? 'font-medium' : ''}>{title}</span>
              <span className="text-muted-foreground text-xs ml-auto tabular-nums">{key}</span>
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-muted-foreground text-[0.8125rem]/4.5 px-2 pb-1">{t('categoriesNone')}</p>}
    </div>
  )
}
