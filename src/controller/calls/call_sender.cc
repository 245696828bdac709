#include "controller/calls/call_sender.h"

#include <utility>

#include "cloud/call_sequence.h"

namespace bindery::controller {

template <typename Step>
void CallSender::Try(OutgoingCall& call, const Step& step) {
  const telemetry::TraceScope scope(call.trace);
  try {
    step();
  } catch (const std::exception& failure) {
    call.OnException(failure);
  }
}

void CallSender::Send(const std::shared_ptr<OutgoingCall>& call) const {
  Try(*call, [&] {
    call->repeated_ = false;
    call->plain_headers_ = call->call.request.headers.size();
    if (call->connection->authorizer->TryAuthorize(call->call.request)) {
      Dispatch(call);
    } else {
      FetchCredentials(call);
    }
  });
}

void CallSender::Dispatch(const std::shared_ptr<OutgoingCall>& call) const {
  if (auto may = call->MaySend(); !may) return call->Answered(Fail(std::move(may.error())));
  // Part of the call, and goes with it.
  std::shared_ptr<cloud::HttpRequest> request(call, &call->call.request);
  call->connection->transport->SendAsync(
      std::move(request), [sender = *this, call](Expected<cloud::HttpResponse> response) {
        Try(*call, [&] { sender.Answer(call, std::move(response)); });
      });
}

void CallSender::FetchCredentials(const std::shared_ptr<OutgoingCall>& call) const {
  PostTo(blocking_, [sender = *this, call] {
    Try(*call, [&] {
      if (auto done = cloud::PutCredentials(call->call, *call->connection->authorizer); !done) {
        call->Answered(Fail(std::move(done.error())));
      } else {
        sender.Dispatch(call);
      }
    });
  });
}

void CallSender::Answer(const std::shared_ptr<OutgoingCall>& call,
                        Expected<cloud::HttpResponse> response) const {
  if (response && cloud::RefusesCredentials(*response) && !std::exchange(call->repeated_, true)) {
    Repeat(call, std::move(*response));
  } else if (response && cloud::IsForSequence(call->call, *response)) {
    Continue(call, std::move(*response));
  } else {
    call->Answered(std::move(response));
  }
}

/// Repeats the call with new credentials, if any.
void CallSender::Repeat(const std::shared_ptr<OutgoingCall>& call,
                        cloud::HttpResponse refusal) const {
  PostTo(blocking_, [sender = *this, call, refusal = std::move(refusal)]() mutable {
    Try(*call, [&] {
      cloud::HttpRequest& request = call->call.request;
      if (!call->connection->authorizer->Refused(request)) {
        return call->Answered(std::move(refusal));
      }
      request.headers.resize(call->plain_headers_);
      sender.FetchCredentials(call);
    });
  });
}

/// Sends the next request, if any.
void CallSender::Continue(const std::shared_ptr<OutgoingCall>& call,
                          cloud::HttpResponse response) const {
  PostTo(blocking_, [sender = *this, call,
                     answer = Expected<cloud::HttpResponse>(std::move(response))]() mutable {
    Try(*call, [&] {
      if (!cloud::TakeAnswer(call->call, answer)) return call->Answered(std::move(answer));
      call->call.request.headers.resize(call->plain_headers_);
      sender.Send(call);
    });
  });
}

}  // namespace bindery::controller
