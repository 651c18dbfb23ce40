import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { administrationQueries } from '@/data/administration-queries'
import { LANGUAGES } from '@/i18n/setup'
import { cn } from '@/lib/utils'
import { CategoryPicker, type Category } from './category-picker.tsx'

const NONE: readonly Category[] = []

type CategoriesChoiceProps = {
  readonly chosen: readonly string[]
  readonly readOnly?: boolean
  readonly error?: string | undefined
  readonly className?: string
  readonly onChange: (chosen: readonly string[]) => void
}

/** Selects categories of the IAB list, by name or key. */
export function CategoriesChoice({ chosen, readOnly = false, error, className, onChange }: CategoriesChoiceProps) {
  const { t, i18n } = useTranslation('administration')
  const [open, setOpen] = useState(false)
  const language = LANGUAGES.find((known) => known === i18n.language) ?? 'en'
  const { data: categories = NONE, isError, refetch } = useQuery(administrationQueries.categories(language))
  const titleOf = (key: string) => categories.find((category) => category.key === key)?.title ?? key
  const toggle = (key: string, on: boolean) => onChange(on ? [...chosen, key] : chosen.filter((one) => one !== key))
  return (
    <fieldset className={cn('flex min-w-0 flex-col gap-2', className)}>
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{t('categories')}</legend>
      <p className="text-muted-foreground text-xs">{t('categoriesHelp')}</p>
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {chosen.map((key) => (
            <li
              key={key}
              className="bg-muted border-border text-[0.8125rem]/4.5 rounded-md flex h-7 items-center gap-1 border pl-2.5"
            >
              <span className="pr-1">{titleOf(key)}</span>
              {!readOnly && (
                <button
                  type="button"
                  aria-label={t('removeCategory', { name: titleOf(key) })}
                  className="text-muted-foreground hover:text-foreground grid h-full w-6 place-items-center"
                  onClick={() => toggle(key, false)}
                >
                  <X aria-hidden className="size-3.5" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isError ? (
        <p className="text-destructive text-[0.8125rem]/4.5 flex items-center gap-2">
          {t('categoriesFailed')}
          <Button variant="ghost" size="sm" onClick={() => void refetch()}>
            {t('categoriesRetry')}
          </Button>
        </p>
      ) : (
        !readOnly && (
          <Popover open={open} onOpenChange={setOpen}>
            <PopoverTrigger asChild>
              <Button variant="outline" size="sm" className="self-start">
                <Plus aria-hidden />
                {t('categoriesAdd')}
              </Button>
            </PopoverTrigger>
            <PopoverContent align="start" className="w-96" aria-label={t('categoriesAdd')}>
              <CategoryPicker categories={categories} chosen={chosen} onToggle={toggle} />
            </PopoverContent>
          </Popover>
        )
      )}
      {error !== undefined && <p className="text-destructive text-xs">{error}</p>}
    </fieldset>
  )
}
