import { ChevronDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'
import { pathLabel } from './log-labels.ts'

const load = () => import('./field-filter-panel.tsx')
const FieldFilterPanel = lazy(async () => ({ default: (await load()).FieldFilterPanel }))

type FieldFilterProps = {
  /** Path; undefined for all fields. */
  readonly value: string | undefined
  readonly onChange: (path: string | undefined) => void
}

/** Selects a field of the form, with a search by name. */
export function FieldFilter({ value, onChange }: FieldFilterProps) {
  const { t } = useTranslation('log')
  const { shown: opened, trigger, popup } = usePopup('dialog', load)
  const shown = value === undefined ? t('filters.anyField') : pathLabel(value)
  return (
    <>
      <HoverTip text={value === undefined ? null : shown}>
        <Button
          variant="outline"
          aria-label={`${t('filters.field')}: ${shown}`}
          className="border-input w-52 justify-between px-3 font-normal"
          {...trigger}
        >
          <span className="truncate">{shown}</span>
          <ChevronDown aria-hidden className="text-muted-foreground" />
        </Button>
      </HoverTip>
      {opened && (
        <Suspense>
          <FieldFilterPanel value={value} onChange={onChange} popup={popup} />
        </Suspense>
      )}
    </>
  )
}
