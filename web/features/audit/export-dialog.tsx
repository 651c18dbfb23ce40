import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { exportLog } from '#contract/audit-export'
import { EVERY_EVENT } from '#domain/every-event'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { accountQueries } from '@/data/account-queries'
import { download } from '@/data/client'
import { saveFile } from '@/lib/save-file'
import { useMe } from '@/session/session-queries'
import { startOf } from './audit-search.ts'
import { eventName } from './entry-texts.ts'
import { useLanguage } from '@/i18n/use-language'

/** Saves a part of the log as a signed file. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('audit')
  const language = useLanguage()
  const me = useMe()
  const accounts = useQuery(accountQueries.list()).data?.data ?? []
  const people = accounts.flatMap(({ id, first_name, last_name, email }) =>
    id === null ? [] : [{ value: id, label: [first_name, last_name].filter(Boolean).join(' ') || (email ?? id) }],
  )
  const own = people.some(({ value }) => value === me.id)
  const any = { value: '', label: t('proof.export.any') }
  const types = Object.keys(EVERY_EVENT)
    .map((type) => ({ value: type, label: eventName(type) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language))
  return (
    <FieldsDialog
      title={t('proof.export.title')}
      text={t('proof.export.dialogText')}
      fields={{
        from: { label: t('filters.from'), kind: 'day' },
        to: { label: t('filters.to'), kind: 'day' },
        space: {
          label: t('filters.account'),
          kind: 'choice',
          options: [any, ...accounts.map(({ space_id, space_name }) => ({ value: space_id, label: space_name }))],
        },
        actor: {
          label: t('filters.person'),
          kind: 'choice',
          options: [
            any,
            ...(own ? [] : [{ value: me.id, label: [me.first_name, me.last_name].filter(Boolean).join(' ') }]),
            ...people,
          ],
        },
        types: { label: t('proof.export.type'), kind: 'choice', options: [any, ...types] },
        personal: { label: t('proof.export.personal'), help: t('proof.export.personalHelp'), kind: 'switch' },
      }}
      confirm={t('proof.export.confirm')}
      send={async ({ from, to, space, actor, types: type, personal }) => {
        const file = await download(exportLog, {
          query: {
            ...(from !== '' && { from: startOf(from, 0) }),
            ...(to !== '' && { to: startOf(to, 1) }),
            ...(space !== '' && { space }),
            ...(actor !== '' && { actor }),
            ...(type !== '' && { types: type }),
            ...(personal && { personal: 'true' }),
          },
        })
        saveFile(file, `audit-${from || 'all'}.ndjson`)
      }}
      done={t('proof.export.done')}
      onClose={onClose}
    />
  )
}
