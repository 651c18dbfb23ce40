export default function TargetingTab() {
  return null
}
