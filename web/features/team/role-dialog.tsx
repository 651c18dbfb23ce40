import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeRoles, type TeamMember } from '#contract/team'
import type { Role } from '#domain/kit/access'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { markSaved, namedField, ShortForm, showFaults, useShortForm } from '@/components/form/short-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { mayClose } from '@/lib/unsaved'
import { RoleField } from './role-field.tsx'
import { nameOf, useRoleNames } from './role-names.ts'
import { actionFault, teamFaultText } from './team-faults.ts'
import { teamQueries } from './team-queries.ts'

type Values = { readonly roles: string }

type RoleDialogProps = {
  readonly spaceId: string
  readonly person: TeamMember
  /** That the person may get, and theirs. */
  readonly roles: readonly Role[]
  readonly onClose: () => void
}

/** Gives a person another role in place of those that they have. */
export function RoleDialog({ spaceId, person, roles, onClose }: RoleDialogProps) {
  const { t } = useTranslation(['team', 'common'])
  const roleNames = useRoleNames()
  const name = nameOf(person)
  const [only = '', ...others] = person.roles
  const form = useShortForm<Values>({ roles: others.length === 0 ? only : '' }, (values) => ({
    roles: values.roles === '' ? t('team:role.required') : null,
  }))
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [teamQueries.all(), ['approvals']] },
    mutationFn: ({ roles: chosen }: Values) =>
      call(changeRoles, { params: { id: spaceId, person: person.id }, body: { roles: roles.filter((role) => role === chosen) } }),
    onSuccess: ({ approval_id }) => {
      toast.success(approval_id === null ? t('team:done.roles', { name }) : t('team:done.waiting'))
      markSaved(form)
      onClose()
    },
    onError: (error) => {
      if (!showFaults(form, error, { fieldOf: namedField(['roles']), textOf: teamFaultText })) toast.error(actionFault(error))
    },
  })
  const close = async () => {
    if (await mayClose()) onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && void close()}>
      <DialogPanel title={t('team:roles.title', { name })} description={t('team:roles.text', { roles: roleNames(person.roles) })}>
        <ShortForm form={form} onSubmit={(values) => mutate(values)} className="flex min-h-0 flex-col">
          <DialogPanelBody>
            <RoleField name="roles" roles={roles} />
          </DialogPanelBody>
          <DialogPanelFooter>
            <Button type="button" variant="outline" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" disabled={isPending}>
              {t('team:roles.confirm')}
            </Button>
          </DialogPanelFooter>
        </ShortForm>
      </DialogPanel>
    </Dialog>
  )
}
