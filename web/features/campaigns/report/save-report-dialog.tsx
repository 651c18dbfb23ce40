import { useTranslation } from 'react-i18next'
import { addSavedReport } from '#contract/saved-reports'
import { SCHEDULES } from '#domain/reports/schedule'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { call } from '@/data/client'
import { savedKey, savedReportOf } from './saved-reports.ts'
import { useScheduleText } from './schedule-text.ts'
import type { TableAsked } from './report-queries.ts'
import type { ReportView } from './use-report.ts'

const days = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
/** Every schedule that can be chosen, as its kind and day. */
const CHOICES = [
  { kind: 'none', day: null },
  { kind: 'daily', day: null },
  ...days(7).map((day) => ({ kind: 'weekly' as const, day })),
  ...days(28).map((day) => ({ kind: 'monthly' as const, day })),
] as const
const keyOf = ({ kind, day }: (typeof CHOICES)[number]) => `${kind} ${day ?? ''}`.trim()

type SaveReportDialogProps = { readonly report: ReportView; readonly asked: TableAsked; readonly onClose: () => void }

/** Saves the report that is shown, under a name and with the schedule of its mails. */
export default function SaveReportDialog({ report, asked, onClose }: SaveReportDialogProps) {
  const { t } = useTranslation('reports')
  const textOf = useScheduleText()
  return (
    <FieldsDialog
      title={t('saved.save')}
      text={t('saved.saveText')}
      fields={{
        name: { label: t('saved.name'), kind: 'text', required: true },
        schedule: {
          label: t('saved.mail'),
          kind: 'choice',
          initial: 'none',
          options: CHOICES.map((choice) => ({ value: keyOf(choice), label: textOf(choice.kind, choice.day) })),
        },
        format: {
          label: t('saved.format'),
          kind: 'choice',
          initial: 'csv',
          options: [
            { value: 'csv', label: 'CSV' },
            { value: 'xlsx', label: 'Excel' },
          ],
        },
      }}
      confirm={t('saved.confirm')}
      send={({ name, schedule, format }) => {
        const [kind, day] = schedule.split(' ')
        return call(addSavedReport, {
          body: {
            name,
            report: savedReportOf(report, asked),
            schedule: SCHEDULES.find((known) => known === kind) ?? 'none',
            schedule_day: day === undefined ? null : Number(day),
            format: format === 'xlsx' ? 'xlsx' : 'csv',
          },
        })
      }}
      invalidates={[savedKey()]}
      done={t('saved.done')}
      onClose={onClose}
    />
  )
}
