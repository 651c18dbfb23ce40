import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { Picker } from '@/components/picker/picker'
import { Button } from '@/components/ui/button'
import { administrationQueries } from '@/data/administration-queries'
import { useLanguage } from '@/i18n/use-language'
import { cn } from '@/lib/utils'

type CategoriesChoiceProps = {
  readonly chosen: readonly string[]
  readonly readOnly?: boolean
  readonly error?: string | undefined
  readonly className?: string
  readonly onChange: (chosen: string[]) => void
}

/** Selects categories of the IAB list, by name or key. */
export function CategoriesChoice({ chosen, readOnly = false, error, className, onChange }: CategoriesChoiceProps) {
  const { t } = useTranslation('administration')
  const box = useRef<HTMLInputElement>(null)
  const language = useLanguage()
  const { data: categories = [], isPending, isError, refetch } = useQuery(administrationQueries.categories(language))
  const titles = new Map(categories.map(({ key, title }) => [key, title]))
  const titleOf = (key: string) => titles.get(key) ?? key
  const toggle = (key: string) => onChange(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
  return (
    <fieldset className={cn('flex min-w-0 flex-col gap-2', className)}>
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{t('categories')}</legend>
      <p className="text-muted-foreground text-xs">{t('categoriesHelp')}</p>
      {isError && (
        <p className="text-destructive text-[0.8125rem]/4.5 flex items-center gap-2">
          {t('categoriesFailed')}
          <Button variant="ghost" size="sm" onClick={() => void refetch()}>
            {t('categoriesRetry')}
          </Button>
        </p>
      )}
      {!isError && !readOnly && (
        <Picker
          ref={box}
          label={t('categoriesFind')}
          options={categories
            .filter(({ key, deprecated }) => !deprecated || chosen.includes(key))
            .map(({ key, title, parent }) => ({
              id: key,
              label: title,
              note: key,
              keyword: key,
              parent: parent === null ? undefined : titleOf(parent),
            }))}
          chosen={new Set(chosen)}
          onPick={toggle}
          nothing={t('categoriesNone')}
          busy={isPending}
        />
      )}
      <ChipList
        label={t('categoriesChosen')}
        chips={chosen.map((key) => ({ id: key, label: titleOf(key) }))}
        disabled={readOnly}
        onRemove={toggle}
        onEmpty={() => box.current?.focus()}
      />
      {error !== undefined && <p className="text-destructive text-xs">{error}</p>}
    </fieldset>
  )
}
