package coordinator

import (
	"replog/internal/assign"
	"replog/internal/kafka"
)

// Refuse is the answer to a group request that no coordinator takes, or whose records could not be stored: the reason is
// the broker's error, which a client of the group would not understand as it is. nil for any other request.
func Refuse(request kafka.Body, reason kafka.ErrorCode) kafka.Body {
	code := coordinatorError(reason)
	switch r := request.(type) {
	case *kafka.JoinGroupRequest:
		return &kafka.JoinGroupResponse{MemberID: r.MemberID, Generation: assign.NoGeneration, Error: code}
	case *kafka.SyncGroupRequest:
		return &kafka.SyncGroupResponse{Error: code}
	case *kafka.HeartbeatRequest:
		if code == kafka.CoordinatorLoadInProgress {
			code = kafka.None // the member is to wait, and the new coordinator counts from its own beginning
		}
		return &kafka.HeartbeatResponse{Error: code}
	case *kafka.LeaveGroupRequest:
		return &kafka.LeaveGroupResponse{Error: code}
	case *kafka.ConsumerGroupHeartbeatRequest:
		return &kafka.ConsumerGroupHeartbeatResponse{Error: code}
	case *kafka.OffsetCommitRequest:
		return commitResponse(r, code)
	case *kafka.TxnOffsetCommitRequest:
		return pendingResponse(r, code)
	case *kafka.OffsetFetchRequest:
		if storageFails(reason) {
			code = kafka.NotCoordinator // what every consumer understands here
		}
		return &kafka.OffsetFetchResponse{Error: code}
	}
	return nil
}

// coordinatorError puts a broker's error into the words of a coordinator
// (CoordinatorOperationExceptionHelper.handleOperationException).
func coordinatorError(code kafka.ErrorCode) kafka.ErrorCode {
	switch {
	case storageFails(code):
		return kafka.CoordinatorNotAvailable
	case code == kafka.NetworkException: // from the question to the transaction coordinator: the client is to ask here again
		return kafka.CoordinatorLoadInProgress
	case code == kafka.NotLeaderOrFollower, code == kafka.KafkaStorageError:
		return kafka.NotCoordinator
	}
	return code
}

func storageFails(code kafka.ErrorCode) bool {
	switch code {
	case kafka.UnknownTopicOrPartition, kafka.NotEnoughReplicas, kafka.RequestTimedOut:
		return true
	}
	return false
}
