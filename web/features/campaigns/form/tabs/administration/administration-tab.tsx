export default function AdministrationTab() {
  return null
}
