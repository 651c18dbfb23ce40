import { useTranslation } from 'react-i18next'
import type { ChecklistLine } from '#contract/review-guidelines'
import { useLanguage } from '@/i18n/use-language'

type ChecklistProps = {
  readonly lines: readonly ChecklistLine[]
  /** Places of the lines that are ticked. */
  readonly ticked: ReadonlySet<number>
  readonly onTick: (ticked: ReadonlySet<number>) => void
}

/** Checks that the white-label wants. Ticks belong to this review alone, and an open line is no obstacle. */
export function Checklist({ lines, ticked, onTick }: ChecklistProps) {
  const { t } = useTranslation('moderation')
  const language = useLanguage()
  return (
    <section aria-label={t('checklist.title')} className="border-border rounded-lg border px-4 py-3">
      <h3 className="font-semibold">{t('checklist.title')}</h3>
      <ul className="mt-1">
        {lines.map((line, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries have no id, and keep their order
          <li key={i}>
            <label className="flex min-h-7 cursor-pointer items-center gap-2">
              <input
                type="checkbox"
                className="accent-primary size-4 shrink-0"
                checked={ticked.has(i)}
                onChange={({ target }) =>
                  onTick(new Set(target.checked ? [...ticked, i] : [...ticked].filter((one) => one !== i)))
                }
              />
              {line[language]}
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}
