import { ChartNoAxesColumn } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListRow } from '#contract/campaign-list'
import { Button } from '@/components/ui/button'
import { usePopup } from '@/lib/use-popup'

const load = () => import('./performance-card.tsx')
const PerformanceCard = lazy(async () => ({ default: (await load()).PerformanceCard }))

export function PerformanceButton({ row }: { readonly row: ListRow }) {
  const { t } = useTranslation('campaigns')
  const { shown, trigger, popup } = usePopup('dialog', load)
  return (
    <>
      <Button
        data-focus="performance"
        variant="ghost"
        size="icon"
        aria-label={t('performance.open', { name: row.name })}
        {...trigger}
      >
        <ChartNoAxesColumn aria-hidden />
      </Button>
      {shown && (
        <Suspense>
          <PerformanceCard row={row} popup={popup} />
        </Suspense>
      )}
    </>
  )
}
