import { Columns3 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePopup } from '@/lib/use-popup'
import { Button } from '../ui/button.tsx'
import type { ColumnChoice } from './column-chooser-items.tsx'

const load = () => import('./column-chooser-items.tsx')
const ColumnChooserItems = lazy(async () => ({ default: (await load()).ColumnChooserItems }))

/** A menu that shows, hides and moves columns, and chooses the height of the rows. */
export function ColumnChooser(choice: ColumnChoice) {
  const { t } = useTranslation()
  const { shown, trigger, popup } = usePopup('menu', load)
  return (
    <span className="relative inline-flex">
      <Button variant="ghost" size="sm" {...trigger}>
        <Columns3 aria-hidden />
        {t('dataTable.columns')}
      </Button>
      {shown && (
        <Suspense>
          <ColumnChooserItems {...choice} popup={popup} />
        </Suspense>
      )}
    </span>
  )
}
