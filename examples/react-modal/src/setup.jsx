import Checklist, { useChecklist } from '@dopt/react-checklist';

/** Items can be done in any order; the checklist completes itself with the last one. */
export function Setup() {
  const checklist = useChecklist('onboarding.setup');
  if (!checklist.active) return null;
  return (
    <Checklist.Root data-testid="setup">
      <Checklist.Header>
        <Checklist.Title>{checklist.title}</Checklist.Title>
        <Checklist.DismissIcon onClick={checklist.dismiss} aria-label="Dismiss the checklist" />
      </Checklist.Header>
      <Checklist.Body>{checklist.body}</Checklist.Body>
      <Checklist.Progress value={checklist.count('done')} max={checklist.size} />
      <Checklist.Items>
        {checklist.items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </Checklist.Items>
    </Checklist.Root>
  );
}

function Item({ item }) {
  return (
    <Checklist.Item data-testid={item.id} data-done={item.done}>
      {item.completed ? (
        <Checklist.IconCheck />
      ) : item.skipped ? (
        <Checklist.IconSkip />
      ) : (
        <Checklist.IconCircle />
      )}
      <Checklist.ItemContent>
        <Checklist.ItemTitle disabled={item.done}>{item.title}</Checklist.ItemTitle>
        <Checklist.ItemBody disabled={item.done}>{item.body}</Checklist.ItemBody>
        {!item.done && (
          <Checklist.ItemCompleteButton onClick={item.complete}>
            {item.completeLabel}
          </Checklist.ItemCompleteButton>
        )}
      </Checklist.ItemContent>
      {!item.done && (
        <Checklist.ItemSkipIcon onClick={item.skip} aria-label={`Skip ${item.title}`} />
      )}
    </Checklist.Item>
  );
}
